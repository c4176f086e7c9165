/** One HTTP exchange: what the guard found out about the request, and what the handler says about the answer. */
import type { OutgoingHttpHeaders } from 'node:http'
import { type ServerCallContext, UnauthenticatedUser } from '@a2a-js/sdk/server'
import type { CheckType } from '../../../checks/verdict.ts'
import type { ErrorCode } from '../../../errors.ts'
import type { PaymentHeader } from '../../../http/headers/payment-header.ts'
import type { RpcError } from '../reply/rpc-error.ts'
import type { ProtocolVersion } from './protocol-version.ts'

export type RpcId = string | number | null

/** What the handler adds to the answer beside the protocol's own result. */
export interface Answer {
  headers: OutgoingHttpHeaders
  fault?: RpcError
  /** How the request ended, for the access log and the limiter; nothing for a mere look at a task. */
  outcome?: ErrorCode | 'free' | 'sold' | 'replayed'
  type?: CheckType
  /** To be called once the answer has left in full. */
  delivered?: () => void
  /** What went wrong on our own account. */
  defect?: unknown
}

export interface Exchange {
  readonly version: ProtocolVersion
  readonly id: RpcId
  /** The payment headers of the HTTP request. */
  readonly proof: PaymentHeader
  /** Those of our extension URIs the client asked for. */
  readonly extensions: readonly string[]
  /** The header names he asked under. */
  readonly extensionHeaders: readonly string[]
  readonly answer: Answer
}

/** Takes the exchange through the SDK's transport, whose way from a request to its handler is the user. */
export class Caller extends UnauthenticatedUser {
  readonly exchange: Exchange

  constructor(exchange: Exchange) {
    super()
    this.exchange = exchange
  }
}

/** The exchange a call belongs to. */
export function exchangeOf(context: ServerCallContext): Exchange {
  if (context.user instanceof Caller) return context.user.exchange
  throw new Error('a call came in past the guard')
}
