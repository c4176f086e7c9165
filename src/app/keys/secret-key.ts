import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { AppSettings } from '../../config/common.ts'
import { keyFile, readText } from '../../files/key-file.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { createKeyring, type Keyring } from '../../payments/secrets/keyring.ts'
import { mapAll, type NonEmpty } from '../../values/non-empty.ts'
import { keySource } from './key-source.ts'

type SecretKeys = Pick<AppSettings['keys'], 'secretKey' | 'secretKeyPrevious'>

export const openKeyring = ({ secretKey, secretKeyPrevious }: SecretKeys, dataDir: string | null): Keyring =>
  createKeyring(keySource(secretKey, dataDir, keptSecretKey), secretKeyPrevious ?? undefined)

/** Null before the first start, which generates a key. */
export function findKeyring(keys: SecretKeys, dataDir: string | null): Keyring | null {
  const text = keys.secretKey !== null || dataDir === null ? undefined : readText(join(dataDir, FILE))
  const secret = text === undefined ? keys.secretKey : parseKey(text.trim())
  return secret === null ? null : openKeyring({ ...keys, secretKey: secret }, null)
}

const FILE = 'secret.key'

const keptSecretKey = (dataDir: string): Buffer =>
  parseKey(keyFile(dataDir, FILE, () => `${randomBytes(KEY_BYTES).toString('hex')}\n`).trim())

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

export const SECRET_CHECK = 'secret-check'

export const secretChecks = (keys: Keyring): NonEmpty<string> =>
  mapAll(keys.macs('secret-check', Buffer.from('format-checker')), (mac) => mac.toString('hex'))

/**
 * The first start writes the check value. The current key replaces a value of the previous one, so that this can be
 * removed later.
 */
export async function checkSecretKey(
  ledger: Pick<Ledger, 'ensureFact' | 'replaceFact'>,
  keys: Keyring,
): Promise<void> {
  const [present, ...former] = secretChecks(keys)
  const stored = await ledger.ensureFact(SECRET_CHECK, present)
  if (former.includes(stored)) await ledger.replaceFact(SECRET_CHECK, stored, present)
  else if (stored !== present) {
    throw new SecretKeyMismatch(
      'SECRET_KEY: the store was written under another key; set that one, or an empty store',
    )
  }
}
