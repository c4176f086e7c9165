/** The port of verdicts that are kept as tasks until they are paid for, for protocols in which payment comes later. */
import type { SettleResponse } from '@x402/core/types'
import type { ErrorCode } from '../../errors.ts'
import type { Skill } from '../../skills/skill.ts'
import type { Quote, ValueCall, Verdicts } from './sale.ts'

/** What `holdVerdict` returns: a task id and the price, nothing of the verdict. */
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
      readonly code: 'too_many_requests' | 'store_unavailable' | 'sales_paused' | 'shutting_down'
      readonly retryAfterSeconds: number
    }

/** Runs the check and keeps the verdict sealed under a new task id until it is paid for or expires. */
export type HoldVerdict = (
  call: ValueCall & { readonly task: { readonly memo: string } },
) => Promise<Withheld>

export type TaskView = { readonly memo: string; readonly skill: Skill; readonly quote: Quote } & TaskState

export type TaskState =
  /** Nothing was charged: the task can be paid for, or cancelled. */
  | { readonly state: 'unpaid' }
  /** A payment is under way, or its outcome is open; resolves by itself. */
  | { readonly state: 'working' }
  | { readonly state: 'sold'; readonly verdicts: Verdicts; readonly settlement: SettleResponse }
  | { readonly state: 'failed'; readonly code: ErrorCode; readonly settlement?: SettleResponse }
  | { readonly state: 'canceled' }

/** The tasks of protocols in which payment comes in a later message. Each may reject with StoreUnavailable. */
export interface Tasks {
  /** What the surface remembers of a task; null for an unknown or expired one. */
  memo(taskId: string): Promise<string | null>
  /** Null for an unknown or expired task. */
  read(taskId: string): Promise<TaskView | null>
  /** Ends an unpaid task; false when something may have been sent for it, or it is ended or gone. */
  cancel(taskId: string): Promise<boolean>
  /** Ends an unpaid task as failed; false when something may have been sent for it, or it is ended or gone. */
  fail(taskId: string, code: ErrorCode): Promise<boolean>
}
