import type { Task } from '@a2a-js/sdk'
import type { RpcError } from './rpc-error.ts'

export interface Fault {
  readonly kind: 'fault'
  readonly fault: RpcError
}

/** How an operation ends, before the SDK puts it on the wire. */
export type Outcome<T = Task> = { readonly kind: 'result'; readonly result: T } | Fault

export function result<T>(value: T): Outcome<T> {
  return { kind: 'result', result: value }
}

export function fault(error: RpcError): Fault {
  return { kind: 'fault', fault: error }
}
