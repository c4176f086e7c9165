import { randomBytes } from 'node:crypto'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { NewPayment } from '../../src/ledger/payments/new-payment.ts'
import type { PaymentRow } from '../../src/ledger/payments/payment-row.ts'
import type { NewTask } from '../../src/ledger/tasks/task-row.ts'
import { newPayment } from './payment-rows.ts'

/** Claims a fresh payment and gives its row. */
export async function claimed(ledger: Ledger, change: Partial<NewPayment> = {}): Promise<PaymentRow> {
  const outcome = await ledger.claim(newPayment(change))
  if (outcome.kind !== 'claimed') throw new Error(outcome.kind)
  return outcome.row
}

/** An unpaid task, alive from second 1 to second 60. */
export function newTask(change: Partial<NewTask> = {}): NewTask {
  return {
    key: randomBytes(32).toString('hex'),
    sealed: randomBytes(64),
    createdAt: 1_000,
    expiresAt: 60_000,
    ...change,
  }
}

/** How a claim ties itself to a task of `newTask` that lies in the store. */
export const attached = (key: string) => ({ kind: 'existing', key, expiresAt: 90_000, now: 2_000 }) as const
