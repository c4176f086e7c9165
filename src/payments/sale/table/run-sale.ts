import type { PaymentRow } from '../../../ledger/payment-row.ts'
import type { Sale } from '../../ports/sale.ts'
import { declined } from './outcomes.ts'
import type { Next, SaleContext } from './sale-context.ts'
import type { SaleEvent, StepName } from './sale-table.ts'

export interface Run {
  readonly context: Pick<SaleContext, 'timing'>
  /** True once something that charges the buyer may have left for this request. */
  sent: boolean
  /** True once something was seen that may have been charged: no answer may say otherwise. */
  mayBeCharged: boolean
  /** Gives back what the run holds; null if it holds nothing. */
  leave: (() => void) | null
}

/** How payments of one scheme are sold: a table of steps, and how a request enters it and leaves it unanswered. */
export interface Course<R extends Run, Row = PaymentRow, Event = SaleEvent, Step extends string = StepName> {
  /** Reads what the store knows of the payment, and names the event that the request is for it. */
  look(run: R): Promise<Next<Row, Event>>
  next(row: Row, event: Event): Step
  readonly steps: Readonly<Record<Step, (run: R, row: Row) => Promise<Next<Row, Event>>>>
  /** Milliseconds between two looks. */
  lookMs(run: R): number
  outOfTime(run: R): Promise<Sale>
  /** The answer once something may have been charged and `error` was thrown: nothing can be ruled out any more. */
  inDoubt(run: R, error: unknown): Promise<Sale>
}

export async function runSale<R extends Run, Row, Event, Step extends string>(
  course: Course<R, Row, Event, Step>,
  run: R,
): Promise<Sale> {
  try {
    return await drive(course, run).finally(() => run.leave?.())
  } catch (error) {
    // Whatever has failed: no caller may turn it into "nothing was charged".
    if (!run.sent && !run.mayBeCharged) throw error
    return course.inDoubt(run, error).catch(() => declined('payment_in_doubt'))
  }
}

async function drive<R extends Run, Row, Event, Step extends string>(
  course: Course<R, Row, Event, Step>,
  run: R,
): Promise<Sale> {
  const { timing } = run.context
  const until = timing.monotonicMs() + timing.waitMs
  while (timing.monotonicMs() <= until) {
    let next = await course.look(run)
    while (next.kind === 'event') next = await course.steps[course.next(next.row, next.event)](run, next.row)
    if (next.kind === 'answer') return next.sale
    await timing.sleep(course.lookMs(run))
  }
  return course.outOfTime(run)
}
