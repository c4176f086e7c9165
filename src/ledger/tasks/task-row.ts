import { KEY_COLUMNS, type PaymentKey } from '../payments/payment-row.ts'
import { type Columns, integer, reader, type Stored, same } from '../store/columns.ts'

/** A verdict that waits for its payment, sealed: without the task id it cannot be read. */
export interface TaskRow {
  /** SHA-256 of the task id, hex. */
  readonly key: string
  readonly sealed: Buffer
  readonly createdAt: number
  readonly expiresAt: number
  readonly payment: PaymentKey | null
  /** Why it ended without a sale: an error code or "canceled"; null if it did not. */
  readonly ended: string | null
}

export type NewTask = Pick<TaskRow, 'key' | 'sealed' | 'createdAt' | 'expiresAt'>

export type TaskAttachment =
  | {
      readonly kind: 'existing'
      readonly key: string
      readonly expiresAt: number
      readonly now: number
      /** Replaces the sealed verdict. */
      readonly sealed?: Buffer
    }
  | { readonly kind: 'new'; readonly task: NewTask }

const TASK: Columns<Omit<TaskRow, 'payment'>> = {
  key: same('key'),
  sealed: same('sealed'),
  createdAt: integer('created_at'),
  expiresAt: integer('expires_at'),
  ended: same('ended'),
}

const [readTask, readKey] = [reader(TASK), reader(KEY_COLUMNS)]
export const toTaskRow = (stored: Stored): TaskRow => ({
  ...readTask(stored),
  payment: stored.nonce === null ? null : readKey(stored),
})
