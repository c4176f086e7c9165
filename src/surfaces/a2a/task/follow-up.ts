import type { PaymentSignal } from '../request/payment-metadata.ts'
import type { RequestContext } from '../request/request-context.ts'

/** A message that names a task. */
export interface FollowUp {
  readonly taskId: string
  /** Empty when the message names none. */
  readonly contextId: string
  readonly signal: PaymentSignal
  readonly requestContext: RequestContext
  readonly historyLength: number | undefined
}
