import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'

/** What a derived key is for; a key never serves two purposes. */
export type KeyPurpose =
  | 'fingerprint'
  | 'list-fingerprint'
  | 'binding-key'
  | 'signature'
  | 'identifier'
  | 'task-id'
  | 'seal'
  | 'secret-check'
  | 'limit'

/** Keys derived from SECRET_KEY; old material verifies and opens during a rotation, only new material writes. */
export interface Keyring {
  /** HMAC-SHA-256 over the parts, each preceded by its length, under the present key. */
  mac(purpose: KeyPurpose, ...parts: readonly Buffer[]): Buffer
  /** The same under every key that may still be in use: the present one first. */
  macs(purpose: KeyPurpose, ...parts: readonly Buffer[]): readonly [Buffer, ...Buffer[]]
  /** 32-byte keys derived with the caller's salt, the present one first. */
  derive(purpose: KeyPurpose, salt: Buffer): readonly [Buffer, ...Buffer[]]
}

/**
 * Derives one key per purpose (HKDF-SHA-256, RFC 5869) from the secret and, during a rotation, from its predecessor.
 * A secret has at least 32 bytes; a shorter one throws.
 */
export function createKeyring(secret: Buffer, previous?: Buffer): Keyring {
  const given: readonly [Buffer, ...Buffer[]] = previous === undefined ? [secret] : [secret, previous]
  for (const each of given) if (each.length < 32) throw new Error('SECRET_KEY must be at least 32 bytes')
  // Key objects, since Node converts bytes to one at each use, which takes longer than the use itself.
  const secrets = given.map((each) => createSecretKey(each))
  const cache = new Map<KeyPurpose, readonly [KeyObject, ...KeyObject[]]>()

  const keysOf = (purpose: KeyPurpose) => {
    const known = cache.get(purpose)
    if (known !== undefined) return known
    const [present, ...former] = deriveAll(secrets, purpose, Buffer.alloc(0))
    const keys = [createSecretKey(present), ...former.map((key) => createSecretKey(key))] as const
    cache.set(purpose, keys)
    return keys
  }
  return {
    mac: (purpose, ...parts) => macOver(keysOf(purpose)[0], parts),
    macs: (purpose, ...parts) => {
      const [present, ...former] = keysOf(purpose)
      return [macOver(present, parts), ...former.map((key) => macOver(key, parts))]
    },
    derive: (purpose, salt) => deriveAll(secrets, purpose, salt),
  }
}

/** Equal bytes, compared in time that does not depend on where they differ. */
export const sameBytes = (left: Buffer, right: Buffer): boolean =>
  left.length === right.length && timingSafeEqual(left, right)

function deriveAll(secrets: readonly KeyObject[], purpose: KeyPurpose, salt: Buffer) {
  const [first, ...rest] = secrets.map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `format-checker/${purpose}/1`, 32)),
  )
  return [first as Buffer, ...rest] as const satisfies readonly [Buffer, ...Buffer[]]
}

/** HMAC-SHA-256 over parts, each preceded by its length. A list has 2,000 parts, so they go over to OpenSSL in one piece. */
export function macOver(key: KeyObject, parts: readonly Buffer[]): Buffer {
  const whole = Buffer.allocUnsafe(parts.reduce((sum, { length }) => sum + 4 + length, 0))
  let at = 0
  for (const part of parts) {
    at = whole.writeUInt32BE(part.length, at)
    at += part.copy(whole, at)
  }
  return createHmac('sha256', key).update(whole).digest()
}
