import type { Ledger } from '../../ledger/ledger.ts'
import { withStoreLock } from '../../ledger/store/store-lock.ts'
import { type Audited, type AuditOptions, audit } from './audit.ts'
import { type Reconciliation, reconcile } from './reconcile.ts'
import { findUnknownTransfers, type TransferScan, type UnknownTransferOptions } from './unknown-transfers.ts'

export type RecoverOptions = Omit<AuditOptions, 'scannedAt'> &
  UnknownTransferOptions & {
    readonly ledger: Pick<Ledger, 'acquireLock' | 'releaseLock'>
    readonly owner: string
    /** The most that the scan, and then the audit, take of a run, so that rows in doubt are looked at in the next one. */
    readonly shareMs?: number
  }

export interface Recovery {
  readonly reconciled: Reconciliation
  readonly audited: Audited
  readonly scanned: Omit<TransferScan, 'found'>
  /** A part is not complete, and not because its share of the run was over. */
  readonly isCutShort: boolean
}

/** Null while another replica holds the network's lock. Rejects with `StoreUnavailable`; the next run continues. */
export function runRecovery(options: RecoverOptions): Promise<Recovery | null> {
  const { ledger, owner, now, payee, shareMs = Number.POSITIVE_INFINITY, goOn = async () => true } = options
  return withStoreLock({ ledger, name: `reconcile ${payee.network}`, owner, now }, async (stillHeld) => {
    const guarded = { ...options, goOn: async () => (await goOn()) && (await stillHeld()) }
    let isCutShort = false
    const inShare = async <Part extends { readonly complete: boolean }>(
      work: (given: typeof guarded) => Promise<Part>,
    ): Promise<Part> => {
      const until = now() + shareMs
      let isOver = false
      const goOnInShare = async () => {
        isOver ||= now() > until
        return !isOver && guarded.goOn()
      }
      const part = await work({ ...guarded, goOn: goOnInShare })
      isCutShort ||= !part.complete && !isOver
      return part
    }
    const reconciled = await reconcile(guarded)
    const scannedAt = now()
    const { found, ...scanned } = await inShare(findUnknownTransfers)
    // What the scan has found is not asked about again.
    const audited = await inShare((given) => audit({ ...given, scannedAt }))
    return {
      reconciled,
      audited: { ...audited, found: audited.found + found },
      scanned,
      isCutShort: isCutShort || !reconciled.complete,
    }
  })
}
