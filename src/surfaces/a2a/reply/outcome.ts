import type { Message, Task } from '@a2a-js/sdk'
import type { RpcError } from './rpc-error.ts'

/** What an operation comes to, before the SDK puts it on the wire. */
export type Outcome<T = Task> =
  | { readonly kind: 'result'; readonly result: T }
  | { readonly kind: 'fault'; readonly fault: RpcError }

export type SendOutcome = Outcome<Message | Task>

export function result<T>(value: T): Outcome<T> {
  return { kind: 'result', result: value }
}

export function fault(wire: RpcError): Outcome<never> {
  return { kind: 'fault', fault: wire }
}
