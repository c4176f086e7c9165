/** Steps that answer from a row and change nothing in it but its task; see `STEP_MEANINGS`. */
import type { UnpaidCode } from '../../../errors.ts'
import type { PaymentRow } from '../../../ledger/payments/payment-row.ts'
import { attachTask } from '../table/attach-task.ts'
import { declined, inDoubt, refused, sold, unpaid, unpaidExact } from '../table/outcomes.ts'
import { answer, type Next, type SaleRun } from '../table/sale-context.ts'

export async function answerSold(run: SaleRun, row: PaymentRow): Promise<Next> {
  return (await attachTask(run, row)) ?? answer(await sold(run.context, run.attempt, row, !run.charge.sent))
}

export const answerUnproven = async (run: SaleRun): Promise<Next> => answer(await inDoubt(run))

export const answerUnsigned = async ({ context, attempt }: SaleRun): Promise<Next> =>
  answer(unpaidExact(context, attempt, 'payment_invalid_signature'))

export const answerUsed = async (): Promise<Next> => answer(declined('payment_already_used'))

export const answerUsedForAnother = async (): Promise<Next> =>
  answer({ ...declined('payment_already_used'), final: true })

export const answerLate = async (_run: SaleRun, row: PaymentRow): Promise<Next> =>
  answer({ ...declined('replay_window_over'), ...(row.deliveredAt !== null && { final: true }) })

export const answerExpired = async ({ context, attempt }: SaleRun): Promise<Next> =>
  answer(unpaid(context, attempt, 'payment_expired'))

export const answerRefused = async ({ context, attempt }: SaleRun, row: PaymentRow): Promise<Next> =>
  answer(refused(context, attempt, (row.refusal ?? 'payment_refused') as UnpaidCode))

export const answerLocked = async ({ context, attempt }: SaleRun): Promise<Next> =>
  answer(unpaid(context, attempt, 'payment_locked'))

export async function answerThrottled({ context, attempt }: SaleRun, row: PaymentRow): Promise<Next> {
  const pause = context.mismatches.pauseMs(attempt.call.client, row, context.now())
  return answer(declined('too_many_requests', Math.max(1, Math.ceil(pause / 1000))))
}
