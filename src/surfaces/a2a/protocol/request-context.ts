import type { Attempt } from '../../../http/limits/unpaid-limiter.ts'
import type { Caller } from '../../call/counter.ts'
import type { ProtocolVersion } from './protocol-version.ts'

export type RpcId = string | number | null

/** `payment` is that of the headers. The client also asks for channels if it pays over one. */
export interface RequestContext extends Caller {
  readonly version: ProtocolVersion
  readonly id: RpcId
  readonly attempt: Attempt
  readonly extensions: readonly string[]
  readonly extensionHeaders: readonly string[]
}
