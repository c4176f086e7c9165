import type { PaymentRow } from '../../ledger/ledger.ts'
import { type Backoff, LOOK_ALWAYS } from './backoff.ts'
import { createNodeTolerance } from './node-tolerance.ts'
import { eachRow } from './paginate-payments.ts'
import { type ResolveOptions, resolvePayment } from './resolve.ts'

export interface ReconcileOptions extends ResolveOptions {
  /** Which rows are looked at; every one by default. */
  readonly pacer?: Backoff
  /** Asked before each row; false ends the run, since somebody else does it now. */
  readonly goOn?: () => Promise<boolean>
}

/** What one run found, by what became of each row. */
export interface Reconciliation {
  readonly settled: number
  readonly void: number
  /** Rows that stay as they were: not expired yet, not explained, or not answered for by the node. */
  readonly open: number
  /** False when the node stopped answering, or another replica took over, before the last row. */
  readonly complete: boolean
}

/**
 * Asks the chain about every row whose outcome nobody was told, oldest first, and settles or buries what it is clear
 * about. It only reads the chain: the signed payload is not stored, so only its buyer can send it again.
 *
 * Rejects with `StoreUnavailable` when the store does not answer. Two runs at once do no harm: every move is a
 * compare-and-set.
 */
export async function reconcile(options: ReconcileOptions): Promise<Reconciliation> {
  const { ledger, chain, now, pacer = LOOK_ALWAYS, goOn = async () => true } = options
  const found = { settled: 0, void: 0, open: 0 }
  const patiently = createNodeTolerance(chain)
  const startedAt = now()
  for await (const row of eachRow((limit, after) => ledger.unresolved(startedAt, limit, after))) {
    if (!pacer.isDue(row, now())) {
      found.open += 1
      continue
    }
    if (!(await goOn())) return { ...found, complete: false }
    const outcome = await patiently(() => reconcileRow(options, row))
    if (outcome === 'gave_up') return { ...found, complete: false }
    if (outcome === 'moved_on') continue
    const end = outcome === 'failed' ? 'open' : outcome
    found[end] += 1
    if (end === 'open') pacer.stillOpen(row, now())
    else pacer.closed(row)
  }
  return { ...found, complete: true }
}

async function reconcileRow(
  options: ReconcileOptions,
  row: PaymentRow,
): Promise<'settled' | 'void' | 'open' | 'moved_on'> {
  // Whoever was settling it did not come back within his lease: from here on only the chain can tell.
  const seen =
    row.state === 'settling'
      ? await options.ledger.move(row, { state: 'in_doubt', owner: null, leaseUntil: 0 })
      : row
  if (seen === null) return 'moved_on'
  const { kind } = await resolvePayment(options, seen)
  return kind === 'settled' || kind === 'void' ? kind : 'open'
}
