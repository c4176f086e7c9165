import type { Hex } from 'viem'
import { memoize } from '../../caches/memoize.ts'
import { endOf, type PaymentRow } from '../../ledger/payments/payment-row.ts'
import type { Block, ChainReader } from '../chain/chain-reader.ts'
import { networkOf } from '../networks/networks.ts'
import { type RunOptions, runRows } from './run-rows.ts'
import { traceQuery } from './search-start.ts'
import { noteFound } from './unknown-transfers.ts'

export interface AuditOptions extends RunOptions {
  readonly onMissing: (row: PaymentRow) => void
  /** The final block up to which transfers were scanned. */
  readonly scanned: Block
}

export interface Audited {
  readonly found: number
  readonly missing: number
  /** Rows that are too young to judge, or that the node did not answer for. */
  readonly open: number
  readonly complete: boolean
}

/**
 * Asks about every settled row that the scan of transfers has passed without finding its transfer, since by default a
 * verdict is sent on the facilitator's word alone. A row is asked about only once a scanned block is past `validBefore`, so
 * that the transfer can no longer be mined.
 */
export async function audit(options: AuditOptions): Promise<Audited> {
  const { ledger, chain, now, finalityDepth, onMissing, payee } = options
  const counts = { found: 0, missing: 0, open: 0 }
  const { blockMs } = networkOf(payee.network)
  const settledBefore = now() - Number(finalityDepth) * blockMs + 1
  const head = memoize(chain.head, blockMs)
  const complete = await runRows(
    options,
    (limit, after) => ledger.unaudited(settledBefore, limit, after),
    async (row) => {
      const outcome = await auditRow(options, row, head)
      counts[outcome] += 1
      if (outcome === 'missing') onMissing(row)
      return null
    },
    () => {
      counts.open += 1
    },
  )
  return { ...counts, complete }
}

async function auditRow(
  { ledger, chain, now, scanned }: AuditOptions,
  row: PaymentRow,
  head: () => Promise<Block>,
): Promise<'found' | 'missing' | 'open'> {
  const settledBy = Math.floor((row.settledAt ?? 0) / 1000)
  if (scanned.timestamp <= Math.max(endOf(row), settledBy)) return 'open'
  const query = traceQuery(row, await head(), now())
  const trace = await chain.trace(query)
  const payments = trace.kind === 'used' ? trace.payments : []
  for (const place of payments) {
    if (place.blockNumber > scanned.number) return 'open'
    if (await noteFound(ledger, row, place)) return 'found'
  }
  const usedThen = await chain.authorizationUsed(query.payer, query.nonce, scanned.number)
  // Answers that contradict each other come from two nodes of which one lags.
  if (usedThen !== (trace.kind !== 'unused')) return 'open'
  // A use since the claim has a log in the searched blocks; a node that lags or indexes late does not find it.
  const hasLog = trace.kind !== 'used' || trace.payments.length + trace.elsewhere.length > 0
  if (!hasLog && !(await wasUsedBefore(chain, row))) return 'open'
  return (await ledger.move(row, { audit: 'missing' })) === null ? 'open' : 'missing'
}

const wasUsedBefore = async (
  chain: ChainReader,
  { payer, nonce, claimedBlock }: PaymentRow,
): Promise<boolean> =>
  claimedBlock !== null && (await chain.authorizationUsed(payer as Hex, nonce as Hex, claimedBlock))
