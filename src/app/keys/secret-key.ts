import { randomBytes } from 'node:crypto'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Keyring } from '../../payments/secrets/keyring.ts'
import { keyFile } from './key-file.ts'
import { keySource } from './key-source.ts'

/** Returns the configured key, or the one in `dataDir`, which is generated at the first start (mode 0600). */
export function loadSecretKey(options: {
  readonly configured: Buffer | null
  readonly dataDir: string | null
}): Buffer {
  return keySource(options.configured, options.dataDir, keptSecretKey)
}

const keptSecretKey = (dataDir: string): Buffer =>
  parseKey(keyFile(dataDir, 'secret.key', () => `${randomBytes(KEY_BYTES).toString('hex')}\n`).trim())

const KEY_BYTES = 32

function parseKey(text: string): Buffer {
  if (/^[0-9a-f]+$/.test(text) && text.length === 2 * KEY_BYTES) return Buffer.from(text, 'hex')
  throw new SecretKeyMismatch(
    'DATA_DIR: secret.key in it is damaged; restore it, or start with an empty store',
  )
}

/** Thrown at startup if the store was written under another key: nothing in it could be verified or opened. */
export class SecretKeyMismatch extends Error {
  override readonly name = 'SecretKeyMismatch'
}

const CHECK = 'secret-check'

/**
 * Compares the key with the check value in the store, which the first start writes. A value of the previous key is
 * replaced by one of the current key, so that the previous key can be removed later.
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
