import type { UnpaidLimiter } from '../../http/limits/unpaid-limiter.ts'
import type { Log } from '../../log.ts'
import type { Sell } from '../../payments/ports/sale.ts'
import type { HoldVerdict, Tasks } from '../../payments/ports/task.ts'
import type { QuoteBook } from '../../payments/terms/quotes.ts'
import type { SkillRegistry } from '../../skills/skill.ts'
import type { Instruments } from '../monitoring/instrument.ts'
import { observeSell } from '../monitoring/observe-sell.ts'
import type { ServiceHours } from '../monitoring/service-hours.ts'
import type { AppOptions } from '../options.ts'
import type { PaymentLayer } from '../payments/payment-layer.ts'

export interface SurfaceDeps {
  readonly registry: SkillRegistry
  readonly sell: Sell
  readonly holdVerdict: HoldVerdict
  readonly tasks: Tasks
  readonly quote: QuoteBook
  readonly limiter: UnpaidLimiter
  readonly log: Log
  readonly baseUrl: string
}

export interface SurfaceParts {
  readonly registry: SkillRegistry
  readonly payments: PaymentLayer
  readonly instruments: Pick<Instruments, 'metrics'>
  readonly serviceHours: ServiceHours
}

export function createSurfaceDeps(
  { log, baseUrl }: Pick<AppOptions, 'log' | 'baseUrl'>,
  { registry, payments, instruments, serviceHours }: SurfaceParts,
  limiter: UnpaidLimiter,
): SurfaceDeps {
  const { quotes, tasks } = payments
  const { begun, ended } = instruments.metrics.paidCalls
  return {
    registry,
    sell: observeSell(payments.sell, {
      begun,
      ended: (outcome, ms) => {
        ended(outcome, ms)
        serviceHours.paidCall(outcome, ms)
      },
    }),
    holdVerdict: payments.holdVerdict,
    tasks,
    quote: quotes,
    limiter,
    log,
    baseUrl,
  }
}
