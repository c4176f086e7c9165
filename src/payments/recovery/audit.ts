import type { Hex } from 'viem'
import type { PaymentRow } from '../../ledger/payment-row.ts'
import type { ChainReader } from '../chain/chain-reader.ts'
import { finalBlock } from '../chain/final-block.ts'
import { networkOf } from '../networks/networks.ts'
import type { ResolveOptions } from './resolve-payment.ts'
import { type RunOptions, runRows } from './run-rows.ts'
import { searchStart } from './search-start.ts'

export interface AuditOptions extends ResolveOptions, RunOptions {
  /** Called for each settled row whose transfer is not on the chain and can no longer get there. */
  readonly onMissing: (row: PaymentRow) => void
}

export interface Audited {
  readonly found: number
  readonly missing: number
  /** Rows it is too early to judge, or the node did not answer for. */
  readonly open: number
  readonly complete: boolean
}

/**
 * Looks once for the transfer of every settled row, `finalityDepth` blocks under the head: by default a verdict leaves
 * on the facilitator's word alone.
 *
 * Found: the row gets the place of its logs and the transaction the chain names. Missing: only if a block at that depth
 * is past `validBefore`, so that the transfer can no longer come.
 */
export async function audit(options: AuditOptions): Promise<Audited> {
  const { ledger, now, finalityDepth, onMissing, payee } = options
  const counts = { found: 0, missing: 0, open: 0 }
  const settledBefore = now() - Number(finalityDepth) * networkOf(payee.network).blockMs + 1
  const complete = await runRows(
    options,
    (limit, after) => ledger.unaudited(settledBefore, limit, after),
    async (row) => {
      const outcome = await auditRow(options, row)
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

async function auditRow(options: AuditOptions, row: PaymentRow): Promise<'found' | 'missing' | 'open'> {
  const { ledger, chain, finalityDepth } = options
  const key = { payer: row.payer as Hex, nonce: row.nonce as Hex }
  const head = await chain.head()
  const finalNumber = finalBlock(head, finalityDepth)
  if (finalNumber === null) return 'open'
  const final = await chain.block(finalNumber)
  const trace = await chain.trace({
    ...key,
    payTo: row.payTo as Hex,
    amount: row.amount,
    fromBlock: searchStart(row, head),
  })
  const payments = trace.kind === 'used' ? trace.payments : []
  for (const { transaction, logIndex, blockNumber } of payments) {
    if (blockNumber > final.number) return 'open'
    const moved = await ledger.move(row, { audit: 'found', transaction, logIndex })
    if (moved !== null) return 'found'
  }
  const settledBy = Math.floor((row.settledAt ?? 0) / 1000)
  if (final.timestamp <= Math.max(row.validBefore, settledBy)) return 'open'
  const usedThen = await chain.authorizationUsed(key.payer, key.nonce, final.number)
  // Two answers that contradict each other come from nodes of which one lags behind: no finding.
  if (usedThen !== (trace.kind !== 'unused')) return 'open'
  // Nodes that lag, or index their logs late, answer a search with none: what was used since the claim has one.
  const hasLog = trace.kind !== 'used' || trace.payments.length + trace.elsewhere.length > 0
  if (!hasLog && !(await wasUsedBefore(chain, row))) return 'open'
  return (await ledger.move(row, { audit: 'missing' })) === null ? 'open' : 'missing'
}

const wasUsedBefore = async (
  chain: ChainReader,
  { payer, nonce, claimedBlock }: PaymentRow,
): Promise<boolean> =>
  claimedBlock !== null && (await chain.authorizationUsed(payer as Hex, nonce as Hex, claimedBlock))
