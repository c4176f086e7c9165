import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import { makeOnce } from '../../caches/memoize.ts'
import { mapAll, type NonEmpty } from '../../values/non-empty.ts'

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
  /** Each part is preceded by its length. */
  mac(purpose: KeyPurpose, ...parts: readonly Buffer[]): Buffer
  /** The present key first. */
  macs(purpose: KeyPurpose, ...parts: readonly Buffer[]): NonEmpty<Buffer>
  /** The present one first. */
  derive(purpose: KeyPurpose, salt: Buffer): NonEmpty<Buffer>
}

/** Derives keys with HKDF-SHA-256 (RFC 5869). Throws for a secret of less than 32 bytes. */
export function createKeyring(secret: Buffer, previous?: Buffer): Keyring {
  const given: NonEmpty<Buffer> = previous === undefined ? [secret] : [secret, previous]
  for (const each of given) if (each.length < 32) throw new Error('SECRET_KEY must be at least 32 bytes')
  // Node would turn bytes into a key object at each use, which takes longer than the use itself.
  const secrets = mapAll(given, (each) => createSecretKey(each))
  const keysOf = makeOnce(
    new Map(),
    (purpose: KeyPurpose): NonEmpty<KeyObject> =>
      mapAll(deriveAll(secrets, purpose, Buffer.alloc(0)), (key) => createSecretKey(key)),
  )
  return {
    mac: (purpose, ...parts) => macOver(keysOf(purpose)[0], parts),
    macs: (purpose, ...parts) => mapAll(keysOf(purpose), (key) => macOver(key, parts)),
    derive: (purpose, salt) => deriveAll(secrets, purpose, salt),
  }
}

/** Takes the same time wherever they differ. */
export const sameBytes = (left: Buffer, right: Buffer): boolean =>
  left.length === right.length && timingSafeEqual(left, right)

const deriveAll = (secrets: NonEmpty<KeyObject>, purpose: KeyPurpose, salt: Buffer): NonEmpty<Buffer> =>
  mapAll(secrets, (secret) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `format-checker/${purpose}/1`, 32)),
  )

/** The parts are copied into one buffer first, since each call of OpenSSL takes time. */
export function macOver(key: KeyObject, parts: readonly Buffer[]): Buffer {
  const whole = Buffer.allocUnsafe(parts.reduce((sum, { length }) => sum + 4 + length, 0))
  let at = 0
  for (const part of parts) {
    at = whole.writeUInt32BE(part.length, at)
    at += part.copy(whole, at)
  }
  return createHmac('sha256', key).update(whole).digest()
}
