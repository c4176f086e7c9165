import { CHECK_TYPES } from 'format-checker-checks/verdict'
import type { PurchaseType } from '../../../ledger/payments/payment-row.ts'
import type { ChannelEvent } from '../../../payments/channels/channel-context.ts'
import { SURFACE_NAMES } from '../../../payments/ports/sale.ts'
import type { SaleReport } from '../../../payments/sale/table/sale-context.ts'
import type { MetricMakers } from './metric-makers.ts'

export type SaleMetrics = ReturnType<typeof createSaleMetrics>

const SOLD_TYPES = [...CHECK_TYPES, 'mixed'] as const satisfies readonly PurchaseType[]
const EVENTS = [
  'settlement_not_recorded',
  'settlement_doubtful',
  'settlement_unconfirmed',
  'repeat_failed',
  'facilitator_unavailable',
  'chain_unavailable',
] as const satisfies readonly SaleReport['event'][]
const CHANNEL_EVENTS = [
  'channel_deposit_doubtful',
  'channel_claim_failed',
  'channel_voucher_lost',
  'channel_withdrawal_seen',
  'channel_exposure_reached',
] as const satisfies readonly ChannelEvent[]

export function createSaleMetrics({ counter }: MetricMakers) {
  const sales = counter(
    'sales_total',
    'Calls of a check by surface, type and outcome.',
    'surface',
    'type',
    'outcome',
  )
  const events = counter('sale_events_total', 'Events of a sale that may need the operator.', 'event')
  for (const event of [...EVENTS, ...CHANNEL_EVENTS]) events.inc({ event }, 0)
  for (const surface of SURFACE_NAMES) {
    for (const type of SOLD_TYPES) {
      for (const outcome of ['payment_required', 'sold']) sales.inc({ surface, type, outcome }, 0)
    }
  }
  return {
    saleCounted: (surface: string, type: string, outcome: string) => sales.inc({ surface, type, outcome }),
    saleEvent: (event: SaleReport['event'] | ChannelEvent) => events.inc({ event }),
  }
}
