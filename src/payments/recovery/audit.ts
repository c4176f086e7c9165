import type { PaymentRow } from '../../ledger/ledger.ts'
import { blockBefore } from '../chain/block-before.ts'
import type { Hex } from '../chain/chain-reader.ts'
import { createNodeTolerance } from './node-tolerance.ts'
import { eachRow } from './paginate-payments.ts'
import type { ReconcileOptions } from './reconcile.ts'

export interface AuditOptions extends ReconcileOptions {
  /** Told of each settled row whose transfer is not on the chain and can no longer get there. */
  readonly onMissing: (row: PaymentRow) => void
}

export interface Audited {
  readonly found: number
  readonly missing: number
  /** Rows it is too early to judge, or the node did not answer for. */
  readonly open: number
  readonly complete: boolean
}

/** How far back before the claim a transfer is looked for: our clock may have been wrong when the row was claimed. */
const LOOK_BACK_SECONDS = 3_600
/** Base makes a block every two seconds. */
const BLOCK_MS = 2_000n

/**
 * Looks once for the transfer of every settled row: a verdict leaves on the facilitator's word, and this holds that
 * word against the chain, `finalityDepth` blocks under its head.
 *
 * Found: the row gets the place of its logs, and the transaction the chain names. Missing: only once a block at that
 * depth is past `validBefore`, so that it can never come any more.
 */
export async function audit(options: AuditOptions): Promise<Audited> {
  const { ledger, chain, now, finalityDepth, goOn = async () => true, onMissing } = options
  const tally = { found: 0, missing: 0, open: 0 }
  const patiently = createNodeTolerance(chain)
  const settledBefore = now() - Number(finalityDepth * BLOCK_MS) + 1
  for await (const row of eachRow((limit, after) => ledger.unaudited(settledBefore, limit, after))) {
    if (!(await goOn())) return { ...tally, complete: false }
    const outcome = await patiently(() => auditRow(options, row))
    if (outcome === 'gave_up') return { ...tally, complete: false }
    tally[outcome === 'failed' ? 'open' : outcome] += 1
    if (outcome === 'missing') onMissing(row)
  }
  return { ...tally, complete: true }
}

async function auditRow(options: AuditOptions, row: PaymentRow): Promise<'found' | 'missing' | 'open'> {
  const { ledger, chain, finalityDepth } = options
  const key = { payer: row.payer as Hex, nonce: row.nonce as Hex }
  const head = await chain.head()
  if (head.number < finalityDepth) return 'open'
  const final = await chain.block(head.number - finalityDepth)
  const before = await blockBefore(chain, head, Math.floor(row.claimedAt / 1000) - LOOK_BACK_SECONDS)
  const trace = await chain.trace({
    ...key,
    payTo: row.payTo as Hex,
    amount: row.amount,
    ...(before === null ? {} : { fromBlock: before.number }),
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
  // Two answers that contradict each other come from nodes of which one lags behind: that is no finding.
  if (usedThen !== (trace.kind !== 'unused')) return 'open'
  return (await ledger.move(row, { audit: 'missing' })) === null ? 'open' : 'missing'
}
