import type { PaymentKey } from './payment-row.ts'

/** A sealed verdict; nothing in it can be read without the task id. */
export interface TaskRow {
  /** SHA-256 of the task id, hex. */
  readonly key: string
  readonly sealed: Buffer
  readonly createdAt: number
  readonly expiresAt: number
  /** The authorization that was claimed for it; null while unpaid. */
  readonly payment: PaymentKey | null
  /** Why it ended without a sale: an error code, or "canceled"; null if it did not. */
  readonly ended: string | null
}

export type NewTask = Pick<TaskRow, 'key' | 'sealed' | 'createdAt' | 'expiresAt'>

/** How a claim may touch a task, in the same transaction. */
export type TaskAttachment =
  /** A task that is already in the store, unpaid and alive. */
  | {
      readonly kind: 'existing'
      readonly key: string
      readonly expiresAt: number
      readonly now: number
      /** Replaces the blob of the task. */
      readonly sealed?: Buffer
    }
  /** A task that is made together with the claim. */
  | { readonly kind: 'new'; readonly task: NewTask }
