import type { OutgoingHttpHeaders } from 'node:http'
import type { Task } from '@a2a-js/sdk'
import type { RpcError } from './rpc-error.ts'

export interface Fault {
  readonly kind: 'fault'
  readonly fault: RpcError
  /** True if the counter has counted the request. */
  readonly counted?: true
}

/** What leaves with an answer, beside its body. */
export interface Accompanied {
  readonly headers?: OutgoingHttpHeaders
  /** Must be called once the answer has left in full. */
  readonly delivered?: () => void
}

/** How an operation ends. A result is counted by the operation. */
export type Outcome<T = Task> = ({ readonly kind: 'result'; readonly result: T } & Accompanied) | Fault

export function result<T>(value: T, { headers = {}, delivered }: Accompanied = {}): Outcome<T> {
  return { kind: 'result', result: value, headers, ...(delivered && { delivered }) }
}

export function fault(error: RpcError): Fault {
  return { kind: 'fault', fault: error }
}

/** Of a request that the counter has counted, whatever it ends in. */
export const asCounted = <T>(outcome: Outcome<T>): Outcome<T> =>
  outcome.kind === 'fault' ? { ...outcome, counted: true } : outcome
