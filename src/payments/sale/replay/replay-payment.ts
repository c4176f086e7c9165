/** Steps that answer from a row and change nothing in it but its task; see `STEP_MEANINGS`. */
import type { UnpaidCode } from '../../../errors.ts'
import type { PaymentRow } from '../../../ledger/payments/payment-row.ts'
import { attachTask } from '../table/attach-task.ts'
import { declined, refused, sold, unpaid } from '../table/outcomes.ts'
import { answer, type Next, type SaleRun } from '../table/sale-context.ts'

export async function answerSold(run: SaleRun, row: PaymentRow): Promise<Next> {
  return (await attachTask(run, row)) ?? answer(await sold(run.context, run.attempt, row, !run.sent))
}

export const sayUsed = async (): Promise<Next> => answer(declined('payment_already_used'))

export const sayUsedForAnother = async (): Promise<Next> =>
  answer({ ...declined('payment_already_used'), final: true })

export const sayLate = async (_run: SaleRun, row: PaymentRow): Promise<Next> =>
  answer({ ...declined('replay_window_over'), ...(row.deliveredAt !== null && { final: true }) })

export const sayVoid = async ({ context, attempt }: SaleRun, row: PaymentRow): Promise<Next> =>
  answer(
    row.refusal === 'payment_already_used'
      ? declined('payment_already_used')
      : unpaid(context, attempt, 'payment_expired'),
  )

export const sayRefused = async ({ context, attempt }: SaleRun, row: PaymentRow): Promise<Next> =>
  answer(refused(context, attempt, (row.refusal ?? 'payment_refused') as UnpaidCode))

export const sayLocked = async ({ context, attempt }: SaleRun): Promise<Next> =>
  answer(unpaid(context, attempt, 'payment_locked'))

export async function sayThrottled({ context, attempt }: SaleRun, row: PaymentRow): Promise<Next> {
  const pause = context.mismatches.pauseMs(attempt.call.client, row, context.now())
  return answer(declined('too_many_requests', Math.max(1, Math.ceil(pause / 1000))))
}
