import fs, { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadReceiptKey, openCardKey } from '../../../src/app/keys/signing-keys.ts'
import { keyFile } from '../../../src/files/key-file.ts'
import { LACKS } from '../../support/platform.ts'
import { type ScratchDir, scratchDir } from '../../support/service-process.ts'

let scratch: ScratchDir
beforeEach(() => {
  scratch = scratchDir()
})
afterEach(() => scratch.remove())

const modeOf = (name: string) => statSync(join(scratch.path, name)).mode & 0o777

describe('a kept key', () => {
  test.skipIf(LACKS.modes)('is made once, readable by its owner alone, and the same after a restart', () => {
    expect(keyFile(scratch.path, 'a.key', () => 'first')).toBe('first')
    expect(keyFile(scratch.path, 'a.key', () => 'second')).toBe('first')
    expect(readdirSync(scratch.path)).toEqual(['a.key'])
    expect(modeOf('a.key')).toBe(0o600)
  })

  test.skipIf(LACKS.modes)('is closed again where its file was opened to others', () => {
    keyFile(scratch.path, 'a.key', () => 'first')
    chmodSync(join(scratch.path, 'a.key'), 0o644)
    expect(keyFile(scratch.path, 'a.key', () => 'second')).toBe('first')
    expect(modeOf('a.key')).toBe(0o600)
  })

  test('of another process that was faster stands', () => {
    const key = keyFile(scratch.path, 'a.key', () => {
      writeFileSync(join(scratch.path, 'a.key'), 'faster')
      return 'slower'
    })
    expect(key).toBe('faster')
    expect(readdirSync(scratch.path)).toEqual(['a.key'])
  })

  test('leaves no draft behind that could not be written whole', () => {
    symlinkSync('/dev/full', join(scratch.path, `a.key.${process.pid}`))
    expect(() => keyFile(scratch.path, 'a.key', () => 'first')).toThrow('ENOSPC')
    expect(readdirSync(scratch.path)).toEqual([])
  })

  test('is not given out if the disk fails to keep its name', () => {
    const flush = vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
      if (fs.fstatSync(file).isDirectory()) throw Object.assign(new Error('EIO'), { code: 'EIO' })
    })
    syncBuiltinESMExports()
    expect(() => keyFile(scratch.path, 'a.key', () => 'first')).toThrow('EIO')
    flush.mockRestore()
    syncBuiltinESMExports()
  })

  test('stops the boot when its directory is not there', () => {
    expect(() => keyFile(join(scratch.path, 'missing'), 'a.key', () => 'first')).toThrow('ENOENT')
  })

  test.skipIf(LACKS.modes).each([
    [
      'a2a-card-key.pem',
      () => openCardKey({ keys: { cardKeyText: null, receiptKeyText: null }, dataDir: scratch.path }),
    ],
    ['receipt-key.pem', () => loadReceiptKey(null, scratch.path)],
  ])('%s is kept so, and stops the boot when it is broken, rather than being replaced', (name, load) => {
    load()
    expect(readdirSync(scratch.path)).toEqual([name])
    expect(modeOf(name)).toBe(0o600)
    const text = readFileSync(join(scratch.path, name), 'utf8')
    load()
    expect(readFileSync(join(scratch.path, name), 'utf8')).toBe(text)
    writeFileSync(join(scratch.path, name), 'broken')
    expect(load).toThrow(/^the (card|receipt) key is (neither|not a private key)/)
  })
})
