import type { UnpaidCode } from '../../errors.ts'
import { MAX_TIMEOUT_SECONDS } from '../terms/terms.ts'
import type { Authorization } from './authorization.ts'

/** The chain's clock may be about a block behind ours. */
const BEGINS_BEFORE_SECONDS = 2
/** Enough to settle in. */
const LEAST_SECONDS_LEFT = 10
/** How far a buyer's clock may be off. */
export const CLOCK_SKEW_SECONDS = 300
export const LONGEST_VALIDITY_SECONDS = MAX_TIMEOUT_SECONDS + CLOCK_SKEW_SECONDS

/** Null if it can be settled at `nowSeconds` (UTC). */
export function judgeWindow(authorization: Authorization, nowSeconds: number): UnpaidCode | null {
  const now = BigInt(nowSeconds)
  if (authorization.validAfter >= now - BigInt(BEGINS_BEFORE_SECONDS)) return 'payment_not_yet_valid'
  if (authorization.validBefore < now + BigInt(LEAST_SECONDS_LEFT)) return 'payment_expired'
  if (authorization.validBefore > now + BigInt(LONGEST_VALIDITY_SECONDS)) {
    return 'payment_valid_too_long'
  }
  return null
}
