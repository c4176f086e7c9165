import type { Gauge } from 'prom-client'
import type { Ledger } from '../../ledger/ledger.ts'
import { PAYMENT_TROUBLES, type PaymentTrouble } from '../../surfaces/status/status.ts'
import type { PaymentGauges } from '../health/payment-health.ts'
import type { Metrics } from './metrics.ts'

export interface ScrapeDeps {
  readonly metrics: Metrics
  readonly ledger: Pick<Ledger, 'backlog'>
  readonly chainUp: () => boolean
  /** What keeps payments from working; nothing by default. */
  readonly troubles?: () => readonly PaymentTrouble[]
  readonly gauges?: () => PaymentGauges
}

export interface Exposition {
  readonly contentType: string
  readonly body: string
}

/**
 * Returns the metrics with the store's current figures. If the store does not answer, its gauges are absent: a zero
 * would look like good news. The failure is counted in `observe-ledger.ts`.
 */
export async function scrape({
  metrics,
  ledger,
  chainUp,
  troubles,
  gauges,
}: ScrapeDeps): Promise<Exposition> {
  const { open, auditMissing, auditPending, chainUp: chain } = metrics.gauges
  chain.set(chainUp() ? 1 : 0)
  const present = troubles?.() ?? []
  for (const reason of PAYMENT_TROUBLES)
    metrics.gauges.paused.set({ reason }, present.includes(reason) ? 1 : 0)
  setOrRemove(metrics.gauges.settlementsLeft, gauges?.().settlementsLeft ?? null)
  setOrRemove(metrics.gauges.settlementsPending, gauges?.().settlementsPending ?? null)
  try {
    const backlog = await ledger.backlog()
    open.set({ state: 'claimed' }, backlog.claimed)
    open.set({ state: 'settling' }, backlog.settling)
    open.set({ state: 'in_doubt' }, backlog.inDoubt)
    open.set({ state: 'refused' }, backlog.refused)
    auditMissing.set(backlog.auditMissing)
    auditPending.set(backlog.auditPending)
  } catch {
    open.reset()
    auditMissing.remove()
    auditPending.remove()
  }
  return { contentType: metrics.registry.contentType, body: await metrics.registry.metrics() }
}

const setOrRemove = (gauge: Gauge, value: number | null): void => {
  if (value === null) gauge.remove()
  else gauge.set(value)
}
