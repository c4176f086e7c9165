import { randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkSecretKey, openKeyring, SecretKeyMismatch } from '../../../src/app/keys/secret-key.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts'
import { createKeyring, type Keyring } from '../../../src/payments/secrets/keyring.ts'
import { LACKS } from '../../support/platform.ts'
import { type ScratchDir, scratchDir } from '../../support/service-process.ts'

let scratch: ScratchDir
beforeEach(() => {
  scratch = scratchDir()
})
afterEach(() => scratch.remove())

const load = (secretKey: Buffer | null = null) =>
  openKeyring({ secretKey, secretKeyPrevious: null }, scratch.path)
const macOf = (keys: Keyring) => keys.mac('secret-check', Buffer.from('text'))

describe('the secret key', () => {
  test('is the configured one where there is one, and nothing is written then', () => {
    const key = randomBytes(32)
    expect(macOf(load(key))).toEqual(macOf(createKeyring(key)))
    expect(() => statSync(join(scratch.path, 'secret.key'))).toThrow('ENOENT')
  })

  test.skipIf(LACKS.modes)(
    'is made at the first start, for its owner alone, and is the same ever after',
    () => {
      const mac = macOf(load())
      expect(readFileSync(join(scratch.path, 'secret.key'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
      expect(macOf(load())).toEqual(mac)
      expect(statSync(join(scratch.path, 'secret.key')).mode & 0o777).toBe(0o600)
    },
  )

  test.each([
    ['empty', ''],
    ['cut off', randomBytes(31).toString('hex')],
    ['no key', 'not hexadecimal at all, and long enough to be taken for a key at a glance'],
  ])('is never taken from a file that is %s', (_what, text) => {
    writeFileSync(join(scratch.path, 'secret.key'), text)
    expect(() => load()).toThrow(/^DATA_DIR: .*secret\.key/)
    expect(readFileSync(join(scratch.path, 'secret.key'), 'utf8')).toBe(text)
  })
})

describe('a store', () => {
  let ledger: Ledger
  beforeEach(async () => {
    ledger = await openSqliteLedger({ dataDir: scratch.path })
  })
  afterEach(() => ledger.close())

  const [first, second] = [randomBytes(32), randomBytes(32)]

  test('keeps to the key it was first opened with', async () => {
    await checkSecretKey(ledger, createKeyring(first))
    await checkSecretKey(ledger, createKeyring(first))
    await expect(checkSecretKey(ledger, createKeyring(second))).rejects.toThrow(SecretKeyMismatch)
  })

  test('takes a new key beside the one before, and afterwards the new one alone', async () => {
    await checkSecretKey(ledger, createKeyring(first))
    await expect(checkSecretKey(ledger, createKeyring(second))).rejects.toThrow(SecretKeyMismatch)
    await checkSecretKey(ledger, createKeyring(second, first))
    await checkSecretKey(ledger, createKeyring(second))
    await expect(checkSecretKey(ledger, createKeyring(first))).rejects.toThrow(SecretKeyMismatch)
  })

  test('takes replicas that know both keys in either order while they are exchanged one by one', async () => {
    await checkSecretKey(ledger, createKeyring(first))
    for (const [present, former] of [
      [first, second],
      [second, first],
      [first, second],
      [second, first],
    ] as const)
      await checkSecretKey(ledger, createKeyring(present, former))
    await checkSecretKey(ledger, createKeyring(second))
  })
})
