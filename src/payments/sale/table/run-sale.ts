import type { PaymentRow } from '../../../ledger/payments/payment-row.ts'
import type { Sale } from '../../ports/sale.ts'
import { declined } from './outcomes.ts'
import type { Next, Run } from './sale-context.ts'
import type { SaleEvent, StepName } from './sale-table.ts'

/** How payments of one scheme are sold: a state table, and how a request enters and leaves it. */
export interface PaymentHandler<
  R extends Run,
  Row = PaymentRow | null,
  Event = SaleEvent,
  Step extends string = StepName,
> {
  /** The event that begins a request, and each further look at its payment. */
  begin(run: R): Promise<Next<Row, Event, R>>
  next(run: R, row: Row, event: Event): Step
  readonly steps: Readonly<Record<Step, (run: R, row: Row) => Promise<Next<Row, Event, R>>>>
  lookMs(run: R): number
  outOfTime(run: R): Promise<Sale>
  /** The answer if `error` was thrown when something may have been charged already. */
  inDoubt(run: R, error: unknown): Promise<Sale>
}

export async function runSale<R extends Run, Row, Event, Step extends string>(
  handler: PaymentHandler<R, Row, Event, Step>,
  first: R,
): Promise<Sale> {
  const { timing } = first.context
  const until = timing.monotonicMs() + timing.waitMs
  let run = first
  try {
    while (timing.monotonicMs() <= until) {
      let next = await handler.begin(run)
      while (next.kind !== 'answer') {
        if (next.facts !== undefined) run = { ...run, ...next.facts }
        if (next.kind === 'read_again') break
        next = await handler.steps[handler.next(run, next.row, next.event)](run, next.row)
      }
      if (next.kind === 'answer') return next.sale
      await timing.sleep(handler.lookMs(run))
    }
    return await handler.outOfTime(run)
  } catch (error) {
    // No caller may turn the error into "nothing was charged".
    if (!run.charge.sent && !run.charge.mayBeCharged) throw error
    return await handler.inDoubt(run, error).catch(() => declined('payment_in_doubt'))
  } finally {
    run.share.release?.()
  }
}
