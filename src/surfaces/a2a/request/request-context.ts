import type { OutgoingHttpHeaders } from 'node:http'
import { type ServerCallContext, UnauthenticatedUser } from '@a2a-js/sdk/server'
import type { ErrorCode } from '../../../errors.ts'
import type { PaymentHeader } from '../../../http/headers/payment-header.ts'
import type { Attempt } from '../../../http/limits/unpaid-limiter.ts'
import type { PurchaseType } from '../../../ledger/payment-row.ts'
import type { RpcError } from '../reply/rpc-error.ts'
import type { ProtocolVersion } from './protocol-version.ts'

export type RpcId = string | number | null

/** What the handler says about the answer, beside the result that goes through the SDK. */
export interface Answer {
  headers: OutgoingHttpHeaders
  fault?: RpcError
  /** For the access log and the limiter; undefined for GetTask. */
  outcome?: ErrorCode | 'free' | 'sold' | 'replayed'
  type?: PurchaseType
  /** How often the limiter counts the request; by default once. */
  weight?: number
  /** Must be called once the answer has left in full. */
  delivered?: () => void
  defect?: unknown
}

export interface RequestContext {
  readonly version: ProtocolVersion
  readonly id: RpcId
  readonly attempt: Attempt
  readonly rawPayment: PaymentHeader
  /** True if the client asks for the offer of payment channels or pays over one. */
  readonly channels: boolean
  /** The x402 extension URIs that the client activated. */
  readonly extensions: readonly string[]
  /** The headers by which it did. */
  readonly extensionHeaders: readonly string[]
  /** The client's address as the limiter counts it. */
  readonly client: string
  readonly answer: Answer
}

/** Carries the context through the SDK's transport, which passes nothing of a request to the handler but its user. */
export class Caller extends UnauthenticatedUser {
  readonly requestContext: RequestContext

  constructor(requestContext: RequestContext) {
    super()
    this.requestContext = requestContext
  }
}

export function requestContextOf(context: ServerCallContext): RequestContext {
  if (context.user instanceof Caller) return context.user.requestContext
  throw new Error('a call was not validated')
}

/** So many values of a list are counted as one request. */
const VALUES_PER_HIT = 10

/** How often the limiter counts an order that is stored until it is paid for: each value takes room in the store. */
export const limiterWeight = (values: number): number => Math.ceil(values / VALUES_PER_HIT)
