import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { CheckType, Verdict } from '../../checks/verdict.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { Keyring } from './keyring.ts'

/** What lies sealed under a task id: a verdict, what it was made for, and what the surface wants to remember. */
export interface SealedContent {
  readonly checkType: CheckType
  readonly ruleset: string
  readonly verdict: Verdict
  readonly fingerprint: Fingerprint
  readonly memo: string
}

/** Every plaintext has this length, so that a blob's size tells nothing of what it holds. */
const PLAINTEXT_BYTES = 6144
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The row key of a task: its id's SHA-256, so that the store alone cannot name a task. */
export const taskKeyOf = (taskId: string): string => createHash('sha256').update(taskId).digest('hex')

/**
 * Seals a verdict under a task id: AES-256-GCM, random nonce, with a key derived from SECRET_KEY and the task id.
 * The row key is additional data, so that a blob opens in its own row only. A memo over 512 bytes throws.
 */
export function seal(keys: Keyring, taskId: string, content: SealedContent): Buffer {
  if (Buffer.byteLength(content.memo) > 512) throw new Error('a memo has at most 512 bytes')
  const text = Buffer.from(
    JSON.stringify({ ...content, fingerprint: content.fingerprint.toString('base64') }),
    'utf8',
  )
  if (text.length > PLAINTEXT_BYTES) throw new Error('a sealed verdict has outgrown its frame')
  const plaintext = Buffer.alloc(PLAINTEXT_BYTES, 0x20)
  text.copy(plaintext)
  const [key] = keys.derive('seal', Buffer.from(taskId))
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(taskKeyOf(taskId)))
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

/** Opens a blob; null when it was not sealed under this task id by this service. */
export function unseal(keys: Keyring, taskId: string, blob: Buffer): SealedContent | null {
  for (const key of keys.derive('seal', Buffer.from(taskId))) {
    const text = decrypt(key, taskKeyOf(taskId), blob)
    if (text === null) continue
    const stored = JSON.parse(text) as Omit<SealedContent, 'fingerprint'> & { fingerprint: string }
    return { ...stored, fingerprint: Buffer.from(stored.fingerprint, 'base64') }
  }
  return null
}

function decrypt(key: Buffer, taskKey: string, blob: Buffer): string | null {
  if (blob.length !== NONCE_BYTES + PLAINTEXT_BYTES + TAG_BYTES) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, blob.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(taskKey))
      .setAuthTag(blob.subarray(-TAG_BYTES))
    const sealed = blob.subarray(NONCE_BYTES, -TAG_BYTES)
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
