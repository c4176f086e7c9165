import type { PaymentPayload, PaymentRequired, SettleResponse } from '@x402/core/types'
import type { Verdict } from '../checks/verdict.ts'

/** Sends one request, the same each time it is called; rejects when no answer comes back. */
export type Send = () => Promise<Answer>

/** What a service says to one request for a check, whatever the protocol. */
export type Answer =
  | {
      readonly kind: 'sold'
      readonly verdict: Verdict
      readonly settlement: SettleResponse
      /** Answered from an earlier payment and not charged again. */
      readonly replayed: boolean
    }
  /** Terms to pay by: to a request without payment an offer, to one with payment its refusal. */
  | (Refusal & { readonly kind: 'unpaid'; readonly required: PaymentRequired; readonly order: Order })
  | (Refusal & { readonly kind: 'refused' })
  /** To be sent again unchanged; `charged` is what is known of the payment meanwhile. */
  | (Refusal & {
      readonly kind: 'again'
      readonly charged: 'no' | 'unknown'
      readonly retryAfterSeconds: number | undefined
    })

/** A refusal in the service's own words. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly detail: string
}

/** Makes the paying request for an offer. */
export type Order = (payload: PaymentPayload) => Send

/** One check type at one service, over one protocol. */
export interface Counter {
  /** Asks for a check without paying. */
  ask(value: string): Promise<Answer>
  /** Asks and pays in one request, by terms known from an earlier answer. */
  prepaid(value: string, payload: PaymentPayload): Send
}

/** The code of an answer that names none. */
export const UNKNOWN = 'unknown'

/** What is known of the payment when the service answers with one of these: repeat unchanged, sign nothing new. */
const AGAIN: Readonly<Record<string, 'no' | 'unknown'>> = {
  payment_in_doubt: 'unknown',
  internal_error: 'unknown',
  facilitator_unavailable: 'no',
  store_unavailable: 'no',
  shutting_down: 'no',
  too_many_requests: 'no',
}

/** A refusal, or a reason to repeat; an answer that explains nothing leaves the payment unknown. */
export function refusedOrAgain(refusal: Refusal, retryAfter: string | number | null | undefined): Answer {
  const unexplained = refusal.status >= 500 || refusal.code === UNKNOWN ? 'unknown' : undefined
  const charged = AGAIN[refusal.code] ?? unexplained
  if (charged === undefined) return { kind: 'refused', ...refusal }
  return { kind: 'again', charged, ...refusal, retryAfterSeconds: readSeconds(retryAfter) }
}

function readSeconds(retryAfter: string | number | null | undefined): number | undefined {
  return /^[0-9]{1,5}$/.test(String(retryAfter)) ? Number(retryAfter) : undefined
}
