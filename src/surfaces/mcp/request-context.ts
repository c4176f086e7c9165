import type { Caller } from '../call/counter.ts'
import type { Reply } from '../call/reply.ts'

/** A request as it goes through the SDK; `input` is that of a tool call. */
export interface RequestContext extends Caller {
  readonly input: unknown
  /** Set by a tool call: the answer that the SDK writes, and that is counted already. */
  reply?: Reply
}
