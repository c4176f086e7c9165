/** A payment that did not pay for its task: one that leaves it to be paid for, and one that ends it. */
import type { SettleResponse } from '@x402/core/types'
import { consequencesOf, detailOn, type ErrorCode, isNotNow } from '../../../errors.ts'
import type { Quote } from '../../../payments/ports/sale.ts'
import { type Metadata, RECEIPTS_KEY } from '../request/payment-metadata.ts'

/** Why a payment did not pay, when another one or the same one again can. */
export interface Refusal {
  readonly code: ErrorCode
  /** Terms that take the place of the task's own: the state of a payment channel. */
  readonly quote?: Quote
  /** What the payment was charged for before. */
  readonly settlement?: SettleResponse
}

const NOT_SENT =
  'The payment could not be handed on. Nothing was charged; repeat the paying message unchanged later.'

export const refusalText = ({ code }: Refusal): string => (isNotNow(code) ? NOT_SENT : detailOn(code, 'a2a'))

/** A failed task is over. What pays again is sent with a new order; the same payment may still be found to have paid. */
export const failureText = (code: ErrorCode): string =>
  `${detailOn(code, 'a2a')} No new payment is taken for this task: send the order again without a task id.`

export const refusalMetadata = ({ code, settlement }: Refusal): Metadata => ({
  ...errorMetadata(code),
  ...(settlement === undefined ? {} : { [RECEIPTS_KEY]: [settlement] }),
})

/** Says, for programs, whether anything was charged and what to do next; the same key as over MCP. */
export const errorMetadata = (code: ErrorCode): Metadata => ({
  'format-checker/error': { code, ...consequencesOf(code) },
})
