import type { ErrorCode } from '../../errors.ts'
import type { Declined, Quote, Sold, Unpaid } from '../../payments/ports/sale.ts'

/** The call was not understood, or the service failed; nothing reached a payment. */
export interface Refused {
  readonly kind: 'refused'
  readonly code: ErrorCode
  /** Of the first item of a list with a fault. */
  readonly index?: number | undefined
}

/** `retryAfterSeconds` is present whenever waiting helps. */
export interface DeclinedReply extends Declined {
  readonly quote?: Quote
}

/** The answer to a call, counted and logged; a surface renders it. The quote is the one that the client asked for. */
export type Reply = Sold | Unpaid | DeclinedReply | Refused
