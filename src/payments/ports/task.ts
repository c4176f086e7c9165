/** Verdicts that are kept as tasks until they are paid for, for protocols in which the payment comes later. */
import type { SettleResponse } from '@x402/core/types'
import type { Skill } from '../../catalog/skill.ts'
import type { ErrorCode } from '../../errors.ts'
import type { Quote, ValueCall, Verdicts } from './sale.ts'

/** Nothing in it depends on the verdict. */
export type Withheld =
  | {
      readonly kind: 'withheld'
      readonly taskId: string
      readonly quote: Quote
      /** UTC milliseconds. */
      readonly expiresAt: number
    }
  | {
      readonly kind: 'declined'
      readonly code: 'too_many_requests' | 'store_unavailable' | 'shutting_down'
    }

/** Runs the check and seals the verdict under a new task id. */
export type HoldVerdict = (
  call: ValueCall & { readonly task: { readonly pendingOrder: string } },
) => Promise<Withheld>

export type TaskView = {
  readonly pendingOrder: string
  readonly skill: Skill
  readonly quote: Quote
} & TaskState

export type TaskState =
  /** Nothing was charged: the task can be paid for, or canceled. */
  | { readonly state: 'unpaid' }
  /** A payment is under way, or in doubt; the state resolves by itself. */
  | { readonly state: 'working' }
  | { readonly state: 'sold'; readonly verdicts: Verdicts; readonly settlement: SettleResponse }
  | {
      readonly state: 'failed'
      readonly code: ErrorCode
      readonly why?: string
      readonly settlement?: SettleResponse
    }
  | { readonly state: 'canceled' }

/** Each method may reject with StoreUnavailable; null stands for an unknown or expired task. */
export interface Tasks {
  pendingOrder(taskId: string): Promise<string | null>
  read(taskId: string): Promise<TaskView | null>
  /** False if a payment may have been sent for it, or if it is ended or unknown. */
  cancel(taskId: string): Promise<boolean>
  fail(taskId: string, code: ErrorCode, why?: string): Promise<boolean>
}
