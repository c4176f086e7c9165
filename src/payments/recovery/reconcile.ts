import { endOf, NO_LEASE, type PaymentRow } from '../../ledger/payments/payment-row.ts'
import { resolvePayment } from './resolve-payment.ts'
import { type RunOptions, runRows } from './run-rows.ts'

export interface Reconciliation {
  readonly settled: number
  readonly void: number
  readonly open: number
  /** False if the run ended before the last row. */
  readonly complete: boolean
}

/** An unexplained row costs a log search, so it is checked less often once its authorization is over. */
const UNEXPLAINED_PAUSE_MS = 3_600_000
/** From the end of an authorization until its last possible block is final. */
const EXPIRY_MARGIN_MS = 30_000

/**
 * Oldest first; marks a payment settled or void once the outcome is certain. Sends nothing: the signed payload is not
 * stored. Rejects with `StoreUnavailable`. Two runs at once do no harm: every move is a compare-and-set.
 */
export async function reconcile(options: RunOptions): Promise<Reconciliation> {
  const { ledger, now } = options
  const counts = { settled: 0, void: 0, open: 0 }
  const startedAt = now()
  const complete = await runRows(
    options,
    (limit, after) => ledger.unresolved(startedAt, limit, after),
    async (row) => {
      const kind = await reconcileRow(options, row)
      if (kind === 'settled' || kind === 'void') counts[kind] += 1
      else if (kind !== 'moved_on') counts.open += 1
      return nextLook(row, kind, now())
    },
    () => {
      counts.open += 1
    },
  )
  return { ...counts, complete }
}

type RowResult = 'settled' | 'void' | 'unused' | 'unexplained' | 'moved_on'

async function reconcileRow(options: RunOptions, row: PaymentRow): Promise<RowResult> {
  // Only settling rows whose lease is over are read: only the chain knows their outcome.
  const seen =
    row.state === 'settling' ? await options.ledger.move(row, { state: 'in_doubt', ...NO_LEASE }) : row
  if (seen === null) return 'moved_on'
  return (await resolvePayment(options, seen)).kind
}

/**
 * When an open row is worth another look, in UTC milliseconds; null: in the next run. An unused refused row changes only
 * at its end, or by its buyer's repeat, which reads the chain itself.
 */
function nextLook(row: PaymentRow, kind: RowResult, now: number): number | null {
  const overAt = endOf(row) * 1000 + EXPIRY_MARGIN_MS
  if (kind === 'unused') return row.state === 'refused' && overAt > now ? overAt : null
  return kind === 'unexplained' && overAt <= now ? now + UNEXPLAINED_PAUSE_MS : null
}
