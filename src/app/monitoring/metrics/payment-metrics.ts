import type { SettleOutcome } from '../../../payments/sale/table/settle-outcome.ts'
import { PAID_OUTCOMES, type PaidCallObserver } from '../observe-sell.ts'
import type { MetricMakers } from './metric-makers.ts'

export type PaymentMetrics = ReturnType<typeof createPaymentMetrics>

const SETTLEMENTS = ['settled', 'refused', 'doubtful', 'not_sent'] as const

/** With the bound of the latency objective, 5 s; docs/operations.md. */
const PAID_SECONDS = [0.1, 0.5, 1, 2, 3, 5, 10, 20, 30]
const SETTLE_SECONDS = [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20]

export function createPaymentMetrics({ counter, histogram, gauge }: MetricMakers) {
  const paid = histogram(
    'paid_call_duration_seconds',
    PAID_SECONDS,
    'Calls with a payment, from the validated request to its outcome; quotes are not counted.',
    'outcome',
  )
  const paidUnderWay = gauge('paid_calls_under_way', 'Calls with a payment that have no outcome yet.')
  const settlements = histogram(
    'settlement_duration_seconds',
    SETTLE_SECONDS,
    'Duration of settlements at the facilitator, by outcome.',
    'outcome',
  )
  const reconciled = counter(
    'reconciled_rows_total',
    'Doubtful payments the chain has cleared up: paid, or void and never charged.',
    'outcome',
  )
  const unknownTransfers = counter(
    'unknown_transfers_total',
    'Transfers to PAY_TO that no payment of this ledger accounts for.',
  )
  for (const outcome of PAID_OUTCOMES) paid.zero({ outcome })
  for (const outcome of SETTLEMENTS) settlements.zero({ outcome })
  for (const outcome of ['settled', 'void']) reconciled.inc({ outcome }, 0)
  return {
    paidCalls: {
      begun: () => paidUnderWay.inc(),
      ended: (outcome, ms) => {
        paidUnderWay.dec()
        paid.observe({ outcome }, ms / 1000)
      },
    } satisfies PaidCallObserver,
    settlement: (outcome: SettleOutcome['kind'], ms: number) => settlements.observe({ outcome }, ms / 1000),
    reconciled: (outcome: 'settled' | 'void') => reconciled.inc({ outcome }),
    unknownTransfer: () => unknownTransfers.inc(),
  }
}
