import type { HoldVerdict, Tasks } from '../../../payments/ports/task.ts'
import type { QuoteBook } from '../../../payments/terms/quotes.ts'
import type { Counter } from '../../call/counter.ts'
import type { Executors } from '../../call/skill-executor.ts'
import type { PaymentSignal } from '../request/payment-metadata.ts'
import type { RequestContext } from '../request/request-context.ts'
import type { UnpaidShares } from './unpaid-shares.ts'

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
