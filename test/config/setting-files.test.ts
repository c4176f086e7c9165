import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SETTINGS } from '../../src/config/settings.ts'
import { type ConfigError, readConfig } from '../../src/config.ts'
import { type ScratchDir, scratchDir } from '../support/service-process.ts'

let scratch: ScratchDir
beforeEach(() => {
  scratch = scratchDir()
})
afterEach(() => scratch.remove())

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    return (error as ConfigError).faults
  }
}

describe('a secret in a file', () => {
  const secret = randomBytes(32)
  const fileOf = (text: string) => {
    const path = join(scratch.path, 'secret')
    writeFileSync(path, text)
    return path
  }

  test('is read as the setting itself would be, without the line end', () => {
    const { secretKey } = readConfig({ SECRET_KEY_FILE: fileOf(`${secret.toString('hex')}\n`) }).app.keys
    expect(secretKey).toEqual(secret)
  })

  test('is judged as the setting itself, and never quoted', () => {
    const faults = faultsOf({ SECRET_KEY_FILE: fileOf('hunter2') })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(/^SECRET_KEY: /)
    expect(faults.join()).not.toContain('hunter2')
  })

  test('contradicts the same in the environment', () => {
    const hex = secret.toString('hex')
    expect(faultsOf({ SECRET_KEY: hex, SECRET_KEY_FILE: fileOf(hex) })).toEqual([
      'SECRET_KEY_FILE: contradicts SECRET_KEY; set one of them',
    ])
  })

  test('that is not there, or empty, is a fault', () => {
    expect(faultsOf({ SECRET_KEY_FILE: join(scratch.path, 'missing') })).toEqual([
      'SECRET_KEY_FILE: names a file that cannot be read (ENOENT)',
    ])
    expect(faultsOf({ CARD_KEY_FILE: fileOf('\n') })).toContain('CARD_KEY_FILE: names a file that is empty')
  })

  test('may be any setting', () => {
    const missing = join(scratch.path, 'missing')
    for (const name of Object.keys(SETTINGS)) {
      expect(faultsOf({ [`${name}_FILE`]: missing })).toContain(
        `${name}_FILE: names a file that cannot be read (ENOENT)`,
      )
    }
  })
})
