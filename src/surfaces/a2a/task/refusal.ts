import type { SettleResponse } from '@x402/core/types'
import { consequencesOf, detailOn, type ErrorCode, isNotNow } from '../../../errors.ts'
import type { Quote } from '../../../payments/ports/sale.ts'
import { detailWith } from '../reply/rpc-error.ts'
import { type Metadata, RECEIPTS_KEY } from '../request/payment-metadata.ts'

/** A payment that was refused, for a task that another one, or the same one again, can still pay for. */
export interface Refusal {
  readonly code: ErrorCode
  /** Terms in place of the task's own, with the state of a payment channel. */
  readonly quote?: Quote
  readonly settlement?: SettleResponse
}

const NOT_SENT =
  'The payment could not be handed on. Nothing was charged; repeat the paying message unchanged later.'

export const refusalText = ({ code }: Refusal): string => (isNotNow(code) ? NOT_SENT : detailOn(code, 'a2a'))

/** For a payment that came after the task had failed by another one. */
const CAME_AFTER =
  'This payment was not taken, and nothing was charged for this message: the task had failed before. Send the order again without a task id, with the same payment.'

/** The text of a failed task. It has ended, but its payment may still turn out to have been charged. */
export const failureText = ({
  code,
  why,
}: {
  readonly code: ErrorCode
  readonly why?: string | undefined
}): string =>
  code === 'task_not_found'
    ? CAME_AFTER
    : `${detailWith(code, why)} No new payment is taken for this task: send the order again without a task id.`

export const refusalMetadata = ({ code, settlement }: Refusal): Metadata => ({
  ...errorMetadata(code),
  ...(settlement === undefined ? {} : { [RECEIPTS_KEY]: [settlement] }),
})

/** Says to programs whether anything was charged and what to do next, under the same key as over MCP. */
export const errorMetadata = (code: ErrorCode): Metadata => ({
  'format-checker/error': { code, ...consequencesOf(code) },
})

export type X402ErrorCode =
  | 'EXPIRED_PAYMENT'
  | 'INVALID_SIGNATURE'
  | 'INSUFFICIENT_FUNDS'
  | 'DUPLICATE_NONCE'
  | 'NETWORK_MISMATCH'
  | 'INVALID_AMOUNT'
  | 'SETTLEMENT_FAILED'

const CODES: Partial<Record<ErrorCode, X402ErrorCode>> = {
  payment_expired: 'EXPIRED_PAYMENT',
  payment_not_yet_valid: 'EXPIRED_PAYMENT',
  payment_valid_too_long: 'EXPIRED_PAYMENT',
  payment_invalid_signature: 'INVALID_SIGNATURE',
  payment_insufficient_funds: 'INSUFFICIENT_FUNDS',
  payment_terms_mismatch: 'INVALID_AMOUNT',
  payment_already_used: 'DUPLICATE_NONCE',
  payment_identifier_conflict: 'DUPLICATE_NONCE',
  replay_window_over: 'DUPLICATE_NONCE',
}

export function x402ErrorCode(code: ErrorCode): X402ErrorCode {
  return CODES[code] ?? 'SETTLEMENT_FAILED'
}
