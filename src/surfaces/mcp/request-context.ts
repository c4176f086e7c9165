import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PaymentHeader } from '../../http/headers/payment-header.ts'
import type { UnpaidLimiter } from '../../http/limits/unpaid-limiter.ts'
import type { RawPayment } from '../../payments/ports/sale.ts'
import type { ToolCall } from './read-message.ts'

export interface RequestContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly limiter: UnpaidLimiter
  /** Present for a tool call. */
  readonly call?: ToolCall
  /** As it was sent, not verified. */
  readonly payment: PaymentHeader | RawPayment
  /** Set once a tool has the call: it is counted by its outcome. */
  isCounted?: true
  /** Set if the sale was refused by a limit: the answer is a 429 in place of the result. Whole seconds to wait. */
  waitSeconds?: number
  /** Set by a sale; must be called once the answer has left in full. */
  delivered?: () => void
}
