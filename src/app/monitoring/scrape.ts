import type { Gauge } from 'prom-client'
import type { Ledger } from '../../ledger/ledger.ts'
import { sumTreasury } from '../../ledger/treasury/treasury-row.ts'
import type { Network } from '../../payments/networks/network.ts'
import { RUNWAY_DAYS, runwayOf } from '../../surfaces/admin/operator/figures/account.ts'
import { PAYMENT_TROUBLES, type PaymentTrouble } from '../../surfaces/site/status/status.ts'
import { dayOf, daysUpTo } from '../../values/utc-days.ts'
import type { PaymentHealth } from '../health/payment-health.ts'
import type { Gauges } from './metrics/gauges.ts'
import type { Metrics } from './metrics.ts'
import { type ChannelMonitor, setChannels } from './scrape-channels.ts'

export type ScrapedNetwork = { readonly network: Pick<Network, 'name'> } & Pick<
  PaymentHealth,
  'chainUp' | 'troubles' | 'gauges'
> & {
    /** Seconds, or null while not known. */
    readonly scanBehind: () => Promise<number | null>
  }

export interface ScrapeDeps {
  readonly metrics: Metrics
  readonly ledger: Pick<Ledger, 'backlog' | 'channelTotals' | 'load' | 'treasury'>
  readonly channels?: ChannelMonitor | undefined
  readonly networks: readonly ScrapedNetwork[]
  readonly troubles: (network: ScrapedNetwork) => Promise<readonly PaymentTrouble[]>
  /** UTC milliseconds by the clock of the ledger. */
  readonly now: () => number
}

export interface Exposition {
  readonly contentType: string
  readonly body: string
}

export async function scrape(deps: ScrapeDeps): Promise<Exposition> {
  const { metrics, networks } = deps
  setLoad(metrics.gauges, deps.ledger)
  await Promise.all([
    ...networks.map((each) => setNetwork(metrics.gauges, each, deps.troubles)),
    setBacklog(metrics.gauges, deps),
    setChannels(metrics.gauges, deps),
    setTreasury(metrics.gauges, deps),
  ])
  return { contentType: metrics.contentType, body: await metrics.expose() }
}

async function setNetwork(
  gauges: Gauges,
  each: ScrapedNetwork,
  troublesOf: ScrapeDeps['troubles'],
): Promise<void> {
  const network = each.network.name
  const troubles = await troublesOf(each).catch((): readonly PaymentTrouble[] => ['store_unavailable'])
  setOrRemove(gauges.scanBehind, network, await each.scanBehind().catch(() => null))
  gauges.chainUp.set({ network }, each.chainUp() ? 1 : 0)
  for (const reason of PAYMENT_TROUBLES)
    gauges.trouble.set({ reason, network }, troubles.includes(reason) ? 1 : 0)
  const { settlementsLeft, settlementsPending, gasPerSale, clockAheadSeconds, settlementBatches } =
    each.gauges()
  setOrRemove(gauges.settlementsLeft, network, settlementsLeft)
  setOrRemove(gauges.settlementsPending, network, settlementsPending)
  setOrRemove(gauges.gasPerSale, network, gasPerSale)
  setOrRemove(gauges.clockAhead, network, clockAheadSeconds)
  for (const [most, count] of batchesByMost(settlementBatches ?? new Map()))
    gauges.settlementBatches.set({ most: String(most), network }, count)
}

/** Transactions by the most payments in them: 1, 2, 4 and so on. */
function batchesByMost(batches: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const sums = new Map<number, number>()
  for (const [size, count] of batches) {
    const most = 2 ** Math.ceil(Math.log2(size))
    sums.set(most, (sums.get(most) ?? 0) + count)
  }
  return sums
}

/** Read before the scrape itself asks the store. */
function setLoad({ storeWaiting, storeConnections }: Gauges, { load }: Pick<Ledger, 'load'>): void {
  storeWaiting.set(load.waiting())
  const connections = load.connections()
  if (connections === null) return
  storeConnections.set({ state: 'used' }, connections.used)
  storeConnections.set({ state: 'idle' }, connections.open - connections.used)
}

/**
 * Absent without own settlements today, and if the store does not answer. Nothing is removed before it has answered:
 * another scrape may be about to show it.
 */
async function setTreasury(
  metrics: Gauges,
  { ledger, now, networks }: Pick<ScrapeDeps, 'ledger' | 'now' | 'networks'>,
): Promise<void> {
  const today = dayOf(now())
  const week = async () => ledger.treasury(daysUpTo(now(), RUNWAY_DAYS)[0] ?? today, today)
  // A failure is counted in `observe-ledger.ts`.
  const days = await week().catch(() => [])
  metrics.treasury.reset()
  metrics.runwayDays.reset()
  if (days.length === 0) return
  const { earned, spent, reserved, lost, credit, overrun } = sumTreasury(
    days.filter(({ day }) => day === today),
  )
  const sums = { earned, spent, reserved, lost, credit, overrun }
  for (const [what, sum] of Object.entries(sums)) metrics.treasury.set({ what }, Number(sum))
  for (const { network, gauges } of networks)
    setOrRemove(metrics.runwayDays, network.name, runwayOf(days, gauges().settlementsLeft))
}

async function setBacklog(
  gauges: Gauges,
  { ledger, now }: Pick<ScrapeDeps, 'ledger' | 'now'>,
): Promise<void> {
  const { open, inDoubtSeconds, unpaidTasks, auditMissing, auditPending, auditPendingSeconds } = gauges
  const ageOf = (since: number | null) => (since === null ? 0 : Math.max(0, (now() - since) / 1000))
  try {
    const backlog = await ledger.backlog()
    open.set({ state: 'claimed' }, backlog.claimed)
    open.set({ state: 'settling' }, backlog.settling)
    open.set({ state: 'in_doubt' }, backlog.inDoubt)
    open.set({ state: 'refused' }, backlog.refused)
    inDoubtSeconds.set(ageOf(backlog.inDoubtSince))
    unpaidTasks.set(backlog.unpaidTasks)
    auditMissing.set(backlog.auditMissing)
    auditPending.set(backlog.auditPending)
    auditPendingSeconds.set(ageOf(backlog.auditPendingSince))
  } catch {
    open.reset()
    for (const gauge of [inDoubtSeconds, unpaidTasks, auditMissing, auditPending, auditPendingSeconds])
      gauge.remove()
  }
}

function setOrRemove(gauge: Gauge<'network'>, network: string, value: number | null): void {
  if (value === null) gauge.remove({ network })
  else gauge.set({ network }, value)
}
