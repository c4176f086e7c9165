import type { PaymentPayload, PaymentRequired, SettleResponse } from '@x402/core/types'
import type { Verdict } from 'format-checker-checks/verdict'
import { ERRORS, type ErrorCode, type ErrorEntry } from '../../../../src/errors.ts'
import type { ServiceClock } from './clocks.ts'

/** Sends one request, the same on every call; rejects if no reply comes back. */
export type Send<T = Verdict> = () => Promise<Reply<T>>

/** `T` is what the service sells. */
export type Reply<T = Verdict> =
  | {
      readonly kind: 'sold'
      readonly result: T
      readonly settlement: SettleResponse
      /** Answered from an earlier payment, not charged again. */
      readonly replayed: boolean
    }
  /** Payment terms: an offer if the request carried no payment, else the reason it was refused. */
  | (Refusal & {
      readonly kind: 'unpaid'
      readonly required: PaymentRequired
      readonly clock?: ServiceClock | undefined
      /** Pays for the request that was asked; without it, the request is sent again with its payment (`prepaid`). */
      readonly pay?: Pay
    })
  | (Refusal & {
      readonly kind: 'refused'
      /** The earlier charge of this payment, if the service names one. */
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

export type Pay = (payload: PaymentPayload) => Send

export const refusalIn = ({ status, code, detail }: Refusal): Refusal => ({ status, code, detail })

export interface CheckClient {
  ask(value: string): Promise<Reply>
  /** Asks and pays in one request, by the terms of an earlier reply. */
  prepaid(value: string, payload: PaymentPayload): Send
}

/** The code of a reply that names none. */
export const UNKNOWN = 'unknown'

/** The service sells every check, so a free answer does not come from it. */
export const ANSWERED_UNPAID: Refusal = {
  status: 200,
  code: UNKNOWN,
  detail: 'The service answered without payment.',
}

/** What the catalogue says of a code; a service of another version may have others. */
export const entryOf = (code: string): ErrorEntry | undefined =>
  Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode] : undefined

/** Whether a payment may be charged after a code with which the same request must be sent again; else undefined. */
function chargedAfter(code: string): 'no' | 'unknown' | undefined {
  const entry = entryOf(code)
  if (entry?.retry !== 'unchanged') return undefined
  // Without the store the service does not know the payment.
  return entry.charged === false && code !== 'store_unavailable' ? 'no' : 'unknown'
}

/** Whether the service turned a request away before it sent the payment to be settled. */
export const isSentInVain = (code: string): boolean => chargedAfter(code) === 'no'

/** A 5xx status or a reply without a code leaves open whether the payment was charged. */
export function refusedOrRetry(
  refusal: Refusal,
  retryAfter: string | number | null | undefined,
): Reply<never> {
  const unexplained = refusal.status >= 500 || refusal.code === UNKNOWN ? 'unknown' : undefined
  const charged = chargedAfter(refusal.code) ?? unexplained
  if (charged === undefined) return { kind: 'refused', ...refusal }
  return { kind: 'retry', charged, ...refusal, retryAfterSeconds: readSeconds(retryAfter) }
}

function readSeconds(retryAfter: string | number | null | undefined): number | undefined {
  return /^[0-9]+$/.test(String(retryAfter)) ? Number(retryAfter) : undefined
}
