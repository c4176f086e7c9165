import { NO_LEASE, type PaymentRow } from '../../../ledger/payments/payment-row.ts'
import { differingMember } from '../../authorization/accepts-terms.ts'
import { type Clocks, windowTime } from '../../chain/clocks.ts'
import { claimOf } from '../claim/claim-payment.ts'
import { replayUntil } from '../purchase/replay-window.ts'
import { event, type Next, READ_AGAIN, type SaleRun } from '../table/sale-context.ts'

/**
 * What a restored payment bought is not known, so the first call at the price that was paid is answered and bound to
 * the row.
 */
export async function adoptRestored(run: SaleRun, row: PaymentRow): Promise<Next> {
  const { context, attempt } = run
  const { call, payment, quote } = attempt
  if (isRestoredOver(context, row)) return event('late', row)
  const isPaid = payment.authorization.value === row.amount && payment.authorization.to === row.payTo
  if (!isPaid || differingMember(payment, context.terms, call, quote) !== null)
    return event('other_authorization', row)
  const binding = {
    ...(await claimOf(run, context.now())),
    ...NO_LEASE,
    origin: 'adopted',
    taskKey: null,
  } as const
  const adopted = await context.ledger.move(row, binding)
  return adopted === null ? READ_AGAIN : event('same', adopted)
}

export const isRestoredOver = (clocks: Clocks, row: PaymentRow): boolean =>
  replayUntil(row) < windowTime(clocks)
