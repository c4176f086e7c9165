/** One HTTP request: what validation found out about it, and what the handler adds to the answer. */
import type { OutgoingHttpHeaders } from 'node:http'
import { type ServerCallContext, UnauthenticatedUser } from '@a2a-js/sdk/server'
import type { ErrorCode } from '../../../errors.ts'
import type { PaymentHeader } from '../../../http/headers/payment-header.ts'
import type { PurchaseType } from '../../../ledger/payment-row.ts'
import type { RpcError } from '../reply/rpc-error.ts'
import type { ProtocolVersion } from './protocol-version.ts'

export type RpcId = string | number | null

/** What the handler adds to the answer beside the protocol's own result. */
export interface Answer {
  headers: OutgoingHttpHeaders
  fault?: RpcError
  /** How the request ended, for the access log and the limiter; undefined for GetTask. */
  outcome?: ErrorCode | 'free' | 'sold' | 'replayed'
  type?: PurchaseType
  /** How often the limiter counts the request; more than once for a list that is kept. */
  weight?: number
  /** Must be called once the answer has left in full. */
  delivered?: () => void
  defect?: unknown
}

export interface RequestContext {
  readonly version: ProtocolVersion
  readonly id: RpcId
  readonly rawPayment: PaymentHeader
  /** True if the client asks for the offer of payment channels, by header or in its message, or pays over one. */
  readonly channels: boolean
  /** Those of our extension URIs that the client activated. */
  readonly extensions: readonly string[]
  readonly extensionHeaders: readonly string[]
  /** The client's address as the limiter counts it. */
  readonly client: string
  readonly answer: Answer
}

/** Carries the request's context through the SDK's transport, which hands only the user from the request to the handler. */
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

/** Values of a kept list that the limiter counts as one request: they take the room of so many single tasks. */
const VALUES_PER_HIT = 10

/** How often the limiter counts an order that is kept until it is paid for. */
export const limiterWeight = (values: number): number => Math.ceil(values / VALUES_PER_HIT)

/** Returns true for a payment that came by x402 version 1's header. */
export const isVersion1 = (rawPayment: PaymentHeader): boolean =>
  rawPayment.kind === 'text' && rawPayment.version1 === true
