import type { Attempt } from '../../../http/limits/unpaid-limiter.ts'
import type { Client } from '../../call/counter.ts'
import type { ProtocolVersion } from './protocol-version.ts'

export type RpcId = string | number | null

/** `payment` is that of the headers. The client also asks for channels if it pays over one. */
export interface RequestContext extends Client {
  readonly version: ProtocolVersion
  readonly id: RpcId
  readonly attempt: Attempt
  /** The x402 extension URIs that the client activated. */
  readonly extensions: readonly string[]
  /** The headers by which it did. */
  readonly extensionHeaders: readonly string[]
}
