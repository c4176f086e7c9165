import { judgeWindow } from '../../authorization/validity-window.ts'
import type { Declined, Unpaid } from '../../ports/sale.ts'
import { declined, unpaid } from './outcomes.ts'
import type { SaleRun } from './sale-context.ts'

/** A payment is not called wrong by a clock that is. */
export function refuseByTime({ context, attempt }: SaleRun): Unpaid | Declined | null {
  const code = judgeWindow(attempt.payment.authorization, Math.floor(context.now() / 1000))
  // Asked after the time was read, since a clock may be moved in between.
  if (context.pausedBy() === 'clock_wrong') return declined('clock_wrong')
  return code === null ? null : unpaid(context, attempt, code)
}
