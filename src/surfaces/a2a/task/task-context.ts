import type { PurchaseType } from '../../../ledger/payment-row.ts'
import type { Quote, Sell, SurfaceName } from '../../../payments/ports/sale.ts'
import type { HoldVerdict, Tasks } from '../../../payments/ports/task.ts'
import type { Skill } from '../../../skills/skill.ts'
import type { UnpaidShares } from './unpaid-shares.ts'

export interface SaleDeps {
  readonly sell: Sell
  readonly holdVerdict: HoldVerdict
  readonly tasks: Tasks
  readonly quote: (skill: Skill, surface: SurfaceName) => Quote
  readonly quoteList: (type: PurchaseType, items: number, surface: SurfaceName) => Promise<Quote>
}

/** What every operation on tasks works with. */
export interface TaskContext extends SaleDeps {
  readonly shares: UnpaidShares
}
