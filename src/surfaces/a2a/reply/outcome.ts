import type { OutgoingHttpHeaders } from 'node:http'
import type { Task } from '@a2a-js/sdk'
import type { RenderedState } from '../task/render-task.ts'
import type { RpcError } from './rpc-error.ts'

export interface Accompanied {
  readonly headers?: OutgoingHttpHeaders
  /** Must be called once the answer has left in full. */
  readonly delivered?: () => void
}

export interface Result<T> extends Accompanied {
  readonly kind: 'result'
  readonly result: T
}

export type Outcome<T = Task> = Result<T> | RpcError

export function result<T>(value: T, { headers = {}, delivered }: Accompanied = {}): Outcome<T> {
  return { kind: 'result', result: value, headers, ...(delivered && { delivered }) }
}

/** A refusal stays what it is. */
export const shown = async (
  state: Outcome<RenderedState>,
  show: (state: RenderedState) => Task | Promise<Task>,
): Promise<Outcome> => (state.kind === 'fault' ? state : { ...state, result: await show(state.result) })
