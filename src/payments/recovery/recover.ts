import { type Audited, type AuditOptions, audit } from './audit.ts'
import { type Reconciliation, reconcile } from './reconcile.ts'
import { underStoreLock } from './store-lock.ts'

export interface RecoverOptions extends AuditOptions {
  /** Boot id of this process, the owner of the lock. */
  readonly owner: string
}

export interface Recovery {
  readonly reconciled: Reconciliation
  readonly audited: Audited
}

/**
 * One run of all that is found out after the fact: what became of doubtful rows, then whether settled ones are on the
 * chain. One replica at a time, by a lock in the store; null while another one is at it.
 *
 * Rejects with `StoreUnavailable` when the store does not answer; the next run does what this one did not.
 */
export function recover(options: RecoverOptions): Promise<Recovery | null> {
  const { ledger, owner, now, goOn = async () => true } = options
  return underStoreLock({ ledger, name: 'reconcile', owner, now }, async (stillMine) => {
    const guarded = { ...options, goOn: async () => (await goOn()) && (await stillMine()) }
    const reconciled = await reconcile(guarded)
    const audited = reconciled.complete ? await audit(guarded) : NOT_AUDITED
    return { reconciled, audited }
  })
}

const NOT_AUDITED: Audited = { found: 0, missing: 0, open: 0, complete: false }
