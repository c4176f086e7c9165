import type { PaymentKey } from '../../../ledger/payments/payment-row.ts'
import { LOCKED_FROM, type MismatchLimiter } from './mismatch-limiter.ts'

export interface Repeat {
  readonly limiter: MismatchLimiter
  readonly client: string
  readonly key: PaymentKey
  /** UTC milliseconds. */
  readonly now: number
  isSame(): Promise<boolean>
  /** Counts it in the store; returns how many differing calls all clients together have tried under the payment. */
  count(isDiffering: boolean): Promise<number>
}

export async function judgeRepeat(repeat: Repeat): Promise<'throttled' | 'locked' | 'same' | 'other'> {
  const { limiter, client, key, now } = repeat
  if (limiter.pauseMs(client, key, now) > 0) return 'throttled'
  const matches = await repeat.isSame()
  if (!matches) limiter.note(client, key, now)
  const mismatches = await repeat.count(!matches)
  // Otherwise the client that never has to wait would know that it has guessed the call.
  if (matches && mismatches >= LOCKED_FROM) limiter.note(client, key, now)
  if (mismatches >= LOCKED_FROM) return 'locked'
  return matches ? 'same' : 'other'
}
