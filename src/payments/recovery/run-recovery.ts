import type { Ledger } from '../../ledger/ledger.ts'
import { withStoreLock } from '../../ledger/store/store-lock.ts'
import { type Audited, type AuditOptions, audit } from './audit.ts'
import { type Reconciliation, reconcile } from './reconcile.ts'
import {
  findUnknownTransfers,
  findWaitingSales,
  type TransferScan,
  type WaitingScanOptions,
} from './unknown-transfers.ts'

export type RecoverOptions = Omit<AuditOptions, 'scanned'> &
  WaitingScanOptions & {
    readonly ledger: Pick<Ledger, 'acquireLock' | 'releaseLock'>
    readonly owner: string
    /** Whether to look for transfers also while no settled row waits; by default true. */
    readonly scanIdle?: boolean
  }

export interface Recovery {
  readonly reconciled: Reconciliation
  readonly audited: Audited
  readonly scanned: Omit<TransferScan, 'found'>
}

const NONE: Audited = { found: 0, missing: 0, open: 0, complete: true }

/** Null while another replica holds the network's lock. Rejects with `StoreUnavailable`; the next run continues. */
export function runRecovery(options: RecoverOptions): Promise<Recovery | null> {
  const { ledger, owner, now, payee, scanIdle = true, goOn = async () => true } = options
  return withStoreLock({ ledger, name: `reconcile ${payee.network}`, owner, now }, async (stillHeld) => {
    const guarded = { ...options, goOn: async () => (await goOn()) && (await stillHeld()) }
    const reconciled = await reconcile(guarded)
    if (!scanIdle && (await ledger.unaudited(now(), 1)).length === 0)
      return { reconciled, audited: NONE, scanned: { unknown: 0, complete: true } }
    const { scanned: block, found, ...scanned } = await findUnknownTransfers(guarded)
    const waiting =
      block === null
        ? { found: 0, complete: scanned.complete }
        : await findWaitingSales(guarded, block.number)
    // A row is asked about once the scan has passed it: a backlog would take days.
    const audited =
      block === null || !waiting.complete
        ? { ...NONE, complete: waiting.complete }
        : await audit({ ...guarded, scanned: block })
    return { reconciled, audited: { ...audited, found: audited.found + found + waiting.found }, scanned }
  })
}
