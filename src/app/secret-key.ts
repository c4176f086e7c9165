import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ledger } from '../ledger/ledger.ts'
import type { Keyring } from '../payments/keyring.ts'
import { givenOrKept } from './given-or-kept.ts'

/** The key from the configuration, else the one in `dataDir`, which is made at the first start (mode 0600). */
export function loadSecretKey(options: {
  readonly configured: Buffer | null
  readonly dataDir: string | null
}): Buffer {
  return givenOrKept(options.configured, options.dataDir, (key) => key, keptSecretKey)
}

function keptSecretKey(dataDir: string): Buffer {
  const path = join(dataDir, 'secret.key')
  try {
    return parseKey(readFileSync(path, 'utf8').trim())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const key = randomBytes(KEY_BYTES)
    // Whole or not at all: a start that is cut off must not leave half a key to the next one.
    const draft = `${path}.${process.pid}`
    writeFileSync(draft, `${key.toString('hex')}\n`, { mode: 0o600, flush: true })
    renameSync(draft, path)
    return key
  }
}

const KEY_BYTES = 32

function parseKey(text: string): Buffer {
  if (/^[0-9a-f]+$/.test(text) && text.length === 2 * KEY_BYTES) return Buffer.from(text, 'hex')
  throw new SecretKeyMismatch(
    'DATA_DIR: secret.key in it is damaged; restore it, or begin with an empty store',
  )
}

/** Thrown at boot when the key is not the store's: nothing in it could be verified or opened. */
export class SecretKeyMismatch extends Error {
  override readonly name = 'SecretKeyMismatch'
}

const CHECK = 'secret-check'

/**
 * Holds the key against the check value in the store, which the first boot writes. Where the value is that of the key
 * before, it is made anew under the present one, so that the one before can be left out later.
 */
export async function checkSecretKey(ledger: Ledger, keys: Keyring): Promise<void> {
  const text = Buffer.from('format-checker')
  const [present, ...former] = keys.macs('secret-check', text).map((mac) => mac.toString('hex'))
  if (present === undefined) throw new Error('a keyring without a key')
  const stored = await ledger.ensureFact(CHECK, present)
  if (former.includes(stored)) await ledger.replaceFact(CHECK, stored, present)
  else if (stored !== present) {
    throw new SecretKeyMismatch(
      'SECRET_KEY: the store was written under another key; set that one, or an empty store',
    )
  }
}
