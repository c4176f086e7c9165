import type { Ledger } from '../../ledger/ledger.ts'
import type { Metrics } from './metrics.ts'

export interface ScrapeDeps {
  readonly metrics: Metrics
  readonly ledger: Pick<Ledger, 'standing'>
  readonly chainUp: () => boolean
}

export interface Exposition {
  readonly contentType: string
  readonly body: string
}

/**
 * Returns the metrics with the store's current figures. If the store does not answer, its gauges are absent: a zero
 * would look like good news. The failure is counted in `observe-ledger.ts`.
 */
export async function scrape({ metrics, ledger, chainUp }: ScrapeDeps): Promise<Exposition> {
  const { open, auditMissing, auditPending, chainUp: chain } = metrics.gauges
  chain.set(chainUp() ? 1 : 0)
  try {
    const standing = await ledger.standing()
    open.set({ state: 'claimed' }, standing.claimed)
    open.set({ state: 'settling' }, standing.settling)
    open.set({ state: 'in_doubt' }, standing.inDoubt)
    open.set({ state: 'refused' }, standing.refused)
    auditMissing.set(standing.auditMissing)
    auditPending.set(standing.auditPending)
  } catch {
    open.reset()
    auditMissing.remove()
    auditPending.remove()
  }
  return { contentType: metrics.registry.contentType, body: await metrics.registry.metrics() }
}
