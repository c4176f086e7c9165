import type { Hex } from 'viem'
import { memoize } from '../../caches/memoize.ts'
import { endOf, type PaymentRow } from '../../ledger/payments/payment-row.ts'
import type { Block, ChainReader } from '../chain/chain-reader.ts'
import { finalBlock } from '../chain/final-block.ts'
import { networkOf } from '../networks/networks.ts'
import { runRows } from './run-rows.ts'
import { traceQuery } from './search-start.ts'
import { noteFound } from './unknown-transfers.ts'
import { type WindowOptions, windowReader } from './window-reader.ts'

export interface AuditOptions extends WindowOptions {
  /** When the scan of transfers began, UTC milliseconds; now by default. */
  readonly scannedAt?: number
  readonly onMissing: (row: PaymentRow) => void
}

export interface Audited {
  readonly found: number
  readonly missing: number
  /** Rows that are too young to judge, or that the node did not answer for. */
  readonly open: number
  readonly complete: boolean
}

/**
 * Looks once for the transfer of every settled row in the final blocks, since by default a verdict is sent on the
 * facilitator's word alone: many in the logs of their window of blocks, the others one by one. A row is missing only once
 * a final block is past `validBefore`, so that the transfer can no longer be mined.
 */
export async function audit(options: AuditOptions): Promise<Audited> {
  const { ledger, chain, now, onMissing, payee, scannedAt = now() } = options
  const counts = { found: 0, missing: 0, open: 0 }
  const { blockMs } = networkOf(payee.network)
  // Twice the depth: what is older was final for the scan also at a node that lags.
  const settledBefore = scannedAt - 2 * Number(chain.finalityDepth) * blockMs + 1
  const readWindow = windowReader(options)
  // The rows of a block share them: most rows need nothing else but the receipt of their transaction.
  const ends = memoize(() => endsOf(chain), blockMs)
  const complete = await runRows(
    options,
    async (limit, after) => {
      for (;;) {
        const rows = await ledger.unaudited(settledBefore, limit, after)
        const found = await readWindow(rows)
        if (found === null) return rows
        counts.found += found
      }
    },
    async (row) => {
      const outcome = await auditRow(options, row, await ends())
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

/** The newest block, and the newest that is final; null while none is. */
interface Ends {
  readonly head: Block
  readonly final: Block | null
}

async function endsOf(chain: ChainReader): Promise<Ends> {
  const head = await chain.head()
  const number = finalBlock(head, chain)
  return { head, final: number === null ? null : await chain.block(number) }
}

async function auditRow(
  { ledger, chain, now }: AuditOptions,
  row: PaymentRow,
  { head, final }: Ends,
): Promise<'found' | 'missing' | 'open'> {
  if (final === null) return 'open'
  const query = traceQuery(row, head, now())
  const trace = await chain.trace(query)
  const payments = trace.kind === 'used' ? trace.payments : []
  for (const place of payments) {
    if (place.blockNumber > final.number) return 'open'
    if (await noteFound(ledger, row, place)) return 'found'
  }
  const settledBy = Math.floor((row.settledAt ?? 0) / 1000)
  if (final.timestamp <= Math.max(endOf(row), settledBy)) return 'open'
  const usedThen = await chain.authorizationUsed(query.payer, query.nonce, final.number)
  // Answers that contradict each other come from two nodes of which one lags.
  if (usedThen !== (trace.kind !== 'unused')) return 'open'
  // A use since the claim has a log in the searched blocks; a node that lags or indexes late does not find it.
  const hasLog = trace.kind !== 'used' || trace.payments.length + trace.elsewhere.length > 0
  if (!hasLog && !(await wasUsedBefore(chain, row))) return 'open'
  // The logs of a window may have told it meanwhile.
  if ((await ledger.find(row))?.audit !== null) return 'open'
  return (await ledger.move(row, { audit: 'missing' })) === null ? 'open' : 'missing'
}

const wasUsedBefore = async (
  chain: ChainReader,
  { payer, nonce, claimedBlock }: PaymentRow,
): Promise<boolean> =>
  claimedBlock !== null && (await chain.authorizationUsed(payer as Hex, nonce as Hex, claimedBlock))
