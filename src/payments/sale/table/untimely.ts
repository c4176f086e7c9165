import { judgeWindow } from '../../authorization/validity-window.ts'
import type { Unpaid } from '../../ports/sale.ts'
import { unpaid } from './outcomes.ts'
import type { SaleRun } from './sale-context.ts'

export function untimely({ context, attempt }: SaleRun): Unpaid | null {
  const code = judgeWindow(attempt.payment.authorization, Math.floor(context.now() / 1000))
  return code === null ? null : unpaid(context, attempt, code)
}
