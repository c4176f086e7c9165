import type { IncomingMessage, ServerResponse } from 'node:http'
import type { UnpaidLimiter } from '../../http/limits/unpaid-limiter.ts'
import type { ToolCall } from './envelope.ts'

/** One HTTP request and its answer, as far as a tool call has to know of them. */
export interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly limiter: UnpaidLimiter
  /** What the request brings, where it is a tool call. */
  readonly call?: ToolCall
  /** Set by a call that has to be answered with HTTP 429 in place of its result; whole seconds to wait. */
  waitSeconds?: number
  /** Set by a sale: called once the answer has left in full. */
  delivered?: () => void
}
