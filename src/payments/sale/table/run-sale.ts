import type { PaymentRow } from '../../../ledger/payments/payment-row.ts'
import type { Sale } from '../../ports/sale.ts'
import { declined } from './outcomes.ts'
import type { Next, Run } from './sale-context.ts'
import type { SaleEvent, StepName } from './sale-table.ts'

/** How payments of one scheme are sold: a state table, and how a request enters and leaves it. */
export interface Course<R extends Run, Row = PaymentRow, Event = SaleEvent, Step extends string = StepName> {
  /** Reads the state of the payment in the store and names the event that the request is for it. */
  look(run: R): Promise<Next<Row, Event>>
  next(row: Row, event: Event): Step
  readonly steps: Readonly<Record<Step, (run: R, row: Row) => Promise<Next<Row, Event>>>>
  lookMs(run: R): number
  outOfTime(run: R): Promise<Sale>
  /** The answer if `error` was thrown when something may have been charged already. */
  inDoubt(run: R, error: unknown): Promise<Sale>
}

export async function runSale<R extends Run, Row, Event, Step extends string>(
  course: Course<R, Row, Event, Step>,
  run: R,
): Promise<Sale> {
  const { timing } = run.context
  const until = timing.monotonicMs() + timing.waitMs
  try {
    while (timing.monotonicMs() <= until) {
      let next = await course.look(run)
      while (next.kind === 'event')
        next = await course.steps[course.next(next.row, next.event)](run, next.row)
      if (next.kind === 'answer') return next.sale
      await timing.sleep(course.lookMs(run))
    }
    return await course.outOfTime(run)
  } catch (error) {
    // No caller may turn the error into "nothing was charged".
    if (!run.sent && !run.mayBeCharged) throw error
    return await course.inDoubt(run, error).catch(() => declined('payment_in_doubt'))
  } finally {
    run.leave?.()
  }
}
