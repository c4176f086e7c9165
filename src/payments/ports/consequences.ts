import { ERRORS, type ErrorCode } from '../../errors.ts'

export interface Consequence {
  /** Whether the answer counts against the client's limit. */
  readonly counted: boolean
  readonly retryAfterSeconds?: number
}

/** Seconds after which a repeat may succeed. */
const RETRY_AFTER: Partial<Record<ErrorCode, number>> = {
  too_many_requests: 60,
  payment_in_doubt: 10,
  facilitator_unavailable: 5,
  chain_unavailable: 5,
  clock_wrong: 60,
  sales_paused: 60,
  store_unavailable: 5,
  shutting_down: 2,
  payment_state_unknown: 5,
}

export function consequenceOf(code: ErrorCode): Consequence {
  const retryAfterSeconds = RETRY_AFTER[code]
  const counted = ERRORS[code].fault === 'client'
  return retryAfterSeconds === undefined ? { counted } : { counted, retryAfterSeconds }
}

/** Seconds for `Retry-After`; undefined if waiting does not help. */
export const retryAfterOf = (outcome: { code: ErrorCode; retryAfterSeconds?: number }): number | undefined =>
  outcome.retryAfterSeconds ?? RETRY_AFTER[outcome.code]
