import type { ErrorCode } from '../../errors.ts'

export interface Consequence {
  readonly counted: boolean
  readonly retryAfterSeconds?: number
}

const COUNTED: Consequence = { counted: true }

/** What is the service's fault does not count against the client. */
const CONSEQUENCES: Partial<Record<ErrorCode, Consequence>> = {
  too_many_requests: { counted: true, retryAfterSeconds: 60 },
  too_many_connections: { counted: false },
  payment_in_doubt: { counted: false, retryAfterSeconds: 10 },
  facilitator_unavailable: { counted: false, retryAfterSeconds: 5 },
  chain_unavailable: { counted: false, retryAfterSeconds: 5 },
  sales_paused: { counted: false, retryAfterSeconds: 60 },
  store_unavailable: { counted: false, retryAfterSeconds: 5 },
  shutting_down: { counted: false, retryAfterSeconds: 2 },
  payment_state_unknown: { counted: false, retryAfterSeconds: 5 },
  internal_error: { counted: false },
}

export const consequenceOf = (code: ErrorCode): Consequence => CONSEQUENCES[code] ?? COUNTED

/** Seconds for `Retry-After`; undefined if waiting does not help. */
export const retryAfterOf = (outcome: { code: ErrorCode; retryAfterSeconds?: number }): number | undefined =>
  outcome.retryAfterSeconds ?? consequenceOf(outcome.code).retryAfterSeconds
