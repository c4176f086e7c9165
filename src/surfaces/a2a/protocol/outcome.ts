import type { OutgoingHttpHeaders } from 'node:http'
import type { Task } from '@a2a-js/sdk'
import type { SettleResponse } from '@x402/core/types'
import type { ErrorCode, X402ErrorCode } from '../../../errors.ts'
import type { Quote, Verdicts } from '../../../payments/ports/sale.ts'
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

export type RenderedState =
  /** `refusal` if a payment was refused and the task can still be paid for. */
  | { readonly state: 'unpaid'; readonly refusal?: Refusal }
  | { readonly state: 'working' }
  | {
      readonly state: 'sold'
      readonly verdicts: Verdicts
      readonly settlement: SettleResponse
      readonly replayed?: boolean
    }
  | {
      readonly state: 'failed'
      readonly code: ErrorCode
      readonly why?: string | undefined
      readonly settlement?: SettleResponse | undefined
      readonly error?: X402ErrorCode
    }
  | { readonly state: 'canceled' }

/** A payment that was refused, for a task that another one, or the same one again, can still pay for. */
export interface Refusal {
  readonly code: ErrorCode
  /** Terms in place of the task's own, with the state of a payment channel. */
  readonly quote?: Quote
  readonly settlement?: SettleResponse
}

/** A refusal stays what it is. */
export const shown = async (
  state: Outcome<RenderedState>,
  show: (state: RenderedState) => Task | Promise<Task>,
): Promise<Outcome> => (state.kind === 'fault' ? state : { ...state, result: await show(state.result) })
