import type { PaymentKey } from '../../../ledger/payment-row.ts'
import { LOCKED_FROM, type MismatchLimiter } from './mismatch-limiter.ts'

export interface Repeat {
  readonly limiter: MismatchLimiter
  readonly client: string
  readonly key: PaymentKey
  /** UTC milliseconds. */
  readonly now: number
  /** Whether it names the call that the payment was made for. */
  isSame(): Promise<boolean>
  /** Counts it in the store; returns the differing calls that all clients together have named under the payment. */
  count(isDiffering: boolean): Promise<number>
}

/** Names what a repeat of a known payment asks for, or that its client, or all clients, have tried too many calls. */
export async function judgeRepeat(repeat: Repeat): Promise<'throttled' | 'locked' | 'same' | 'other'> {
  const { limiter, client, key, now } = repeat
  if (limiter.pauseMs(client, key, now) > 0) return 'throttled'
  const matches = await repeat.isSame()
  if (!matches) limiter.note(client, key, now)
  const mismatches = await repeat.count(!matches)
  // Once locked, a right call counts like a wrong one: else the client that never has to wait would have guessed it.
  if (matches && mismatches >= LOCKED_FROM) limiter.note(client, key, now)
  if (mismatches >= LOCKED_FROM) return 'locked'
  return matches ? 'same' : 'other'
}
