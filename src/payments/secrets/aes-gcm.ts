/** AES-256-GCM; encrypted bytes are a random nonce, the ciphertext and the tag. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const NOTHING = Buffer.alloc(0)

/** The key has 32 bytes; `context` is authenticated and must be the same in {@link decrypt}. */
export function encrypt(key: Buffer, content: Buffer, context: Buffer = NOTHING): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context)
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()])
}

/** Null unless the bytes were encrypted under this key and context. */
export function decrypt(key: Buffer, encrypted: Buffer, context: Buffer = NOTHING): Buffer | null {
  if (encrypted.length < NONCE_BYTES + TAG_BYTES) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, NONCE_BYTES))
      .setAAD(context)
      .setAuthTag(encrypted.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}
