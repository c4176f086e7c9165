import type { HoldVerdict, Tasks } from '../../../payments/ports/task.ts'
import { UNPAID_TASK_LIFE_MS } from '../../../payments/sale/tasks/hold-verdict.ts'
import type { QuoteBook } from '../../../payments/terms/quotes.ts'
import type { Counter } from '../../call/counter.ts'
import type { Executors } from '../../call/skill-executor.ts'
import type { PaymentSignal } from '../protocol/payment-metadata.ts'
import type { RequestContext } from '../protocol/request-context.ts'
import { type UnpaidShares, unpaidShares } from './unpaid-shares.ts'

export interface SaleDeps {
  readonly quote: QuoteBook
  readonly counter: Counter
  readonly executors: Executors
  readonly holdVerdict: HoldVerdict
  readonly tasks: Tasks
}

export interface TaskContext extends SaleDeps {
  readonly shares: UnpaidShares
}

/** Values of unpaid tasks that are stored for one address, and for all; each takes about 4 kB. */
const UNPAID = { perAddress: 1_000, most: 20_000, lifeMs: UNPAID_TASK_LIFE_MS }

export const taskContext = (deps: SaleDeps): TaskContext => ({
  ...deps,
  shares: unpaidShares({ ...UNPAID, now: () => performance.now() }),
})

export interface TaskMessage {
  readonly contextId: string
  readonly signal: PaymentSignal
  readonly requestContext: RequestContext
  readonly historyLength: number | undefined
}

/** A message for a task; `contextId` is empty if it names none. */
export interface FollowUp extends TaskMessage {
  readonly taskId: string
}
