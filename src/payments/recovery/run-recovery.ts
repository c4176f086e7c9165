import type { Ledger } from '../../ledger/ledger.ts'
import { withStoreLock } from '../../ledger/store/store-lock.ts'
import { type Audited, type AuditOptions, audit } from './audit.ts'
import { type Reconciliation, reconcile } from './reconcile.ts'
import { findUnknownTransfers, type TransferScan, type UnknownTransferOptions } from './unknown-transfers.ts'

export type RecoverOptions = Omit<AuditOptions, 'scannedAt'> &
  UnknownTransferOptions & {
    readonly ledger: Pick<Ledger, 'acquireLock' | 'releaseLock'>
    readonly owner: string
  }

export interface Recovery {
  readonly reconciled: Reconciliation
  readonly audited: Audited
  readonly scanned: Omit<TransferScan, 'found'>
}

/** Null while another replica holds the network's lock. Rejects with `StoreUnavailable`; the next run continues. */
export function runRecovery(options: RecoverOptions): Promise<Recovery | null> {
  const { ledger, owner, now, payee, goOn = async () => true } = options
  return withStoreLock({ ledger, name: `reconcile ${payee.network}`, owner, now }, async (stillHeld) => {
    const guarded = { ...options, goOn: async () => (await goOn()) && (await stillHeld()) }
    const reconciled = await reconcile(guarded)
    const scannedAt = now()
    const { found, ...scanned } = await findUnknownTransfers(guarded)
    // What the scan has found is not asked about again.
    const audited = await audit({ ...guarded, scannedAt })
    return { reconciled, audited: { ...audited, found: audited.found + found }, scanned }
  })
}
