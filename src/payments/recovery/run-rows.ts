import type { Ledger } from '../../ledger/ledger.ts'
import type { PaymentRow } from '../../ledger/payments/payment-row.ts'
import { paginate } from '../../values/paginate.ts'
import { ifAnswered } from '../chain/chain-reader.ts'
import { type Backoff, createBackoff } from './backoff.ts'
import type { ResolveOptions } from './resolve-payment.ts'
import type { Payee } from './unknown-transfers.ts'

export interface RunOptions extends ResolveOptions {
  readonly ledger: ResolveOptions['ledger'] & Pick<Ledger, 'unresolved' | 'unaudited'>
  /** Rows of other networks are skipped. */
  readonly payee: Pick<Payee, 'network'>
  readonly backoff?: Backoff
  /** False ends the run before the next row: the process stops, or another replica holds the lock. */
  readonly goOn?: () => Promise<boolean>
}

/** Rows at once: one that the node is slow about must not delay the others. */
const WORKERS = 8

/**
 * True unless the run ended early. `work` returns when the row is due again, in UTC milliseconds; null: in the next
 * run. A row without an answer of the node backs off; without any answer the run ends. `onOpen` gets each row that is
 * not due or was not answered for.
 */
export async function runRows(
  options: RunOptions,
  read: (limit: number, after?: PaymentRow) => Promise<readonly PaymentRow[]>,
  work: (row: PaymentRow) => Promise<number | null>,
  onOpen: () => void,
): Promise<boolean> {
  const { chain, now, payee, backoff = createBackoff(), goOn = async () => true } = options
  const rows = paginate(read)
  let complete = true

  const runRow = async (row: PaymentRow) => {
    const isAnswered = await ifAnswered(async () => {
      const dueAt = await work(row)
      if (dueAt === null) backoff.forget(row)
      else backoff.postpone(row, dueAt)
      return true
    })
    if (isAnswered) return
    if ((await ifAnswered(() => chain.head())) === null) complete = false
    else {
      backoff.failed(row, now())
      onOpen()
    }
  }
  const runWorker = async () => {
    for (let next = await rows.next(); complete && !next.done; next = await rows.next()) {
      if (next.value.network !== payee.network) continue
      if (!backoff.isDue(next.value, now())) onOpen()
      else if (await goOn()) await runRow(next.value)
      else complete = false
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, runWorker))
  return complete
}
