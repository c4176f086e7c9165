import { consequencesOf, detailOn, type ErrorCode, isNotNow } from '../../../errors.ts'
import type { Refusal } from '../protocol/outcome.ts'
import { type Metadata, RECEIPTS_KEY } from '../protocol/payment-metadata.ts'
import { detailWith } from '../protocol/rpc-error.ts'

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
