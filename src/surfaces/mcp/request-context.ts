import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PaymentHeader } from '../../http/headers/payment-header.ts'
import type { UnpaidLimiter } from '../../http/limits/unpaid-limiter.ts'
import type { RawPayment } from '../../payments/ports/sale.ts'
import type { ToolCall } from './read-message.ts'

/** One HTTP request and its answer, as a tool call needs them. */
export interface RequestContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly limiter: UnpaidLimiter
  /** What the request brings, if it is a tool call. */
  readonly call?: ToolCall
  /** The payment of a tool call, before any of it is believed. */
  readonly payment: PaymentHeader | RawPayment
  /** Set by a call that is answered with HTTP 429 instead of its result; whole seconds to wait. */
  waitSeconds?: number
  /** Set by a sale: called once the answer has left in full. */
  delivered?: () => void
}
