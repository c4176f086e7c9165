import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'

/** A derived key never serves two purposes. */
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

/** Keys derived from SECRET_KEY. During a rotation, former keys verify and open; only the present one writes. */
export interface Keyring {
  /** HMAC-SHA-256 under the present key over the parts, each preceded by its length. */
  mac(purpose: KeyPurpose, ...parts: readonly Buffer[]): Buffer
  /** The same under every key in use, the present one first. */
  macs(purpose: KeyPurpose, ...parts: readonly Buffer[]): readonly [Buffer, ...Buffer[]]
  /** 32-byte keys under the caller's salt, the present one first. */
  derive(purpose: KeyPurpose, salt: Buffer): readonly [Buffer, ...Buffer[]]
}

/**
 * Derives one key per purpose (HKDF-SHA-256, RFC 5869) from the secret and, during a rotation, from the previous one.
 * Throws for a secret of less than 32 bytes.
 */
export function createKeyring(secret: Buffer, previous?: Buffer): Keyring {
  const given: readonly [Buffer, ...Buffer[]] = previous === undefined ? [secret] : [secret, previous]
  for (const each of given) if (each.length < 32) throw new Error('SECRET_KEY must be at least 32 bytes')
  // Node would turn bytes into a key object at each use, which takes longer than the use itself.
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

/** Takes the same time wherever they differ. */
export const sameBytes = (left: Buffer, right: Buffer): boolean =>
  left.length === right.length && timingSafeEqual(left, right)

function deriveAll(secrets: readonly KeyObject[], purpose: KeyPurpose, salt: Buffer) {
  const [first, ...rest] = secrets.map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `format-checker/${purpose}/1`, 32)),
  )
  return [first as Buffer, ...rest] as const satisfies readonly [Buffer, ...Buffer[]]
}

/** The parts are copied into one buffer first, since a list has 2,000 and each call of OpenSSL takes time. */
export function macOver(key: KeyObject, parts: readonly Buffer[]): Buffer {
  const whole = Buffer.allocUnsafe(parts.reduce((sum, { length }) => sum + 4 + length, 0))
  let at = 0
  for (const part of parts) {
    at = whole.writeUInt32BE(part.length, at)
    at += part.copy(whole, at)
  }
  return createHmac('sha256', key).update(whole).digest()
}
