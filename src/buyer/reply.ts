import type { PaymentPayload, PaymentRequired, SettleResponse } from '@x402/core/types'
import type { Verdict } from '../checks/verdict.ts'

/** Sends one request, the same on every call; rejects when no reply comes back. */
export type Send<T = Verdict> = () => Promise<Reply<T>>

/** The reply of a service to one request, in terms of no protocol; `T` is what it sells. */
export type Reply<T = Verdict> =
  | {
      readonly kind: 'sold'
      readonly result: T
      readonly settlement: SettleResponse
      /** Answered from an earlier payment, not charged again. */
      readonly replayed: boolean
    }
  /** Payment terms: an offer if the request carried no payment, else the reason it was refused. */
  | (Refusal & { readonly kind: 'unpaid'; readonly required: PaymentRequired; readonly pay: Pay<T> })
  | (Refusal & {
      readonly kind: 'refused'
      /** What the payment was charged for before, if the service says so. */
      readonly settlement?: SettleResponse
    })
  /** The same request must be sent again; `charged` says what is known about the payment. */
  | (Refusal & {
      readonly kind: 'retry'
      readonly charged: 'no' | 'unknown'
      readonly retryAfterSeconds: number | undefined
    })

export interface Refusal {
  readonly status: number
  readonly code: string
  readonly detail: string
}

export type Pay<T = Verdict> = (payload: PaymentPayload) => Send<T>

/** A client for one check type at one service, over one protocol. */
export interface CheckClient {
  /** Asks for a check without paying. */
  ask(value: string): Promise<Reply>
  /** Asks and pays in one request, by terms known from an earlier reply. */
  prepaid(value: string, payload: PaymentPayload): Send
}

/** The code of a reply that names none. */
export const UNKNOWN = 'unknown'

/** The service sells every check, so a free answer comes from something else. */
export const ANSWERED_UNPAID: Refusal = {
  status: 200,
  code: UNKNOWN,
  detail: 'The service answered without payment.',
}

/** What each code says about the payment, if the request must be sent again unchanged. */
const RETRY: ReadonlyMap<string, 'no' | 'unknown'> = new Map(
  Object.entries({
    payment_in_doubt: 'unknown',
    internal_error: 'unknown',
    facilitator_unavailable: 'no',
    chain_unavailable: 'no',
    sales_paused: 'no',
    store_unavailable: 'unknown',
    shutting_down: 'no',
    too_many_requests: 'no',
    too_many_connections: 'no',
    request_timeout: 'no',
  } as const),
)

/** Whether a request was turned away before its payment was looked at, or handed on. */
export const isSentInVain = (code: string): boolean => RETRY.get(code) === 'no'

/** Returns a refusal or a reason to retry; an unexplained reply leaves the payment unknown. */
export function refusedOrRetry(
  refusal: Refusal,
  retryAfter: string | number | null | undefined,
): Reply<never> {
  const unexplained = refusal.status >= 500 || refusal.code === UNKNOWN ? 'unknown' : undefined
  const charged = RETRY.get(refusal.code) ?? unexplained
  if (charged === undefined) return { kind: 'refused', ...refusal }
  return { kind: 'retry', charged, ...refusal, retryAfterSeconds: readSeconds(retryAfter) }
}

function readSeconds(retryAfter: string | number | null | undefined): number | undefined {
  return /^[0-9]{1,5}$/.test(String(retryAfter)) ? Number(retryAfter) : undefined
}
