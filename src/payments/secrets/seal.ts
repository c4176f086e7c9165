import { hash } from 'node:crypto'
import type { SettleResponse } from '@x402/core/types'
import type { CheckType } from 'format-checker-checks/verdict'
import type { Purchase, Verdicts } from '../ports/sale.ts'
import { decrypt, encrypt } from './aes-gcm.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { Keyring } from './keyring.ts'

export interface SealedContent extends Purchase {
  readonly skillId: CheckType
  readonly ruleset: string
  /** Empty once the task has ended. */
  readonly verdicts: Verdicts | readonly []
  readonly fingerprint: Fingerprint
  readonly requestDigest: Buffer
  readonly pendingOrder: string
  /** What a channel was charged for the task; the channel itself remembers its newest call only. */
  readonly settlement?: SettleResponse
  readonly why?: string
}

export const hasVerdicts = (
  content: SealedContent,
): content is SealedContent & { readonly verdicts: Verdicts } => content.verdicts.length > 0

/**
 * The size of a sealed task tells only how many verdicts it holds. The longest, for an email address with a domain of
 * 252 characters, has some 960 bytes; the row of a single one fits in a page of SQLite.
 */
const BYTES_PER_VERDICT = 2048
/** For all beside the verdicts. A pending order beyond 512 takes the room that a verdict leaves. */
const ENVELOPE_BYTES = 1536
const MOST_ORDER_BYTES = 1_280
/** For a settlement with its receipt, which has some 1,600. */
const SETTLEMENT_BYTES = 4096

/** SHA-256 of a task's id, so that the store alone cannot name a task. */
export const taskKeyOf = (taskId: string): string => hash('sha256', taskId)

/**
 * The key is derived from SECRET_KEY and the task id; with the row key as additional data the result opens in its own
 * row only. Throws for a pending order over 1,280 bytes as JSON.
 */
export function seal(keys: Keyring, taskId: string, content: SealedContent): Buffer {
  if (Buffer.byteLength(JSON.stringify(content.pendingOrder)) > MOST_ORDER_BYTES)
    throw new Error(`a pending order has at most ${MOST_ORDER_BYTES} bytes as JSON`)
  const text = Buffer.from(
    JSON.stringify({
      ...content,
      fingerprint: content.fingerprint.toString('base64'),
      requestDigest: content.requestDigest.toString('base64'),
    }),
    'utf8',
  )
  const frame =
    ENVELOPE_BYTES +
    Math.max(content.verdicts.length, 1) * BYTES_PER_VERDICT +
    (content.settlement === undefined ? 0 : SETTLEMENT_BYTES)
  if (text.length > frame) throw new Error('a sealed verdict has outgrown its frame')
  const plaintext = Buffer.alloc(frame, 0x20)
  text.copy(plaintext)
  const [key] = keys.derive('seal', Buffer.from(taskId))
  return encrypt(key, plaintext, Buffer.from(taskKeyOf(taskId)))
}

/** Null unless sealed under this task id. */
export function unseal(keys: Keyring, taskId: string, blob: Buffer): SealedContent | null {
  for (const key of keys.derive('seal', Buffer.from(taskId))) {
    const text = decrypt(key, blob, Buffer.from(taskKeyOf(taskId)))
    if (text === null) continue
    const stored = JSON.parse(text.toString('utf8')) as Omit<
      SealedContent,
      'fingerprint' | 'requestDigest'
    > & {
      fingerprint: string
      requestDigest: string
    }
    return {
      ...stored,
      fingerprint: Buffer.from(stored.fingerprint, 'base64'),
      requestDigest: Buffer.from(stored.requestDigest, 'base64'),
    }
  }
  return null
}
