import type { ChannelRow } from '../../../ledger/channel-store.ts'
import { claimableOf } from '../channel-balance.ts'
import type { ChannelContext } from '../channel-context.ts'
import { settleAct, signClaims, wireClaim } from './claim-payload.ts'
import { refreshChannel } from './refresh-channel.ts'

/** Channels in one claim: each needs some 27,000 gas, and a transaction may use 600,000. */
const LARGEST_BATCH = 16
const MOST_CHANNELS = 512
const SIMULATION_FAILED = 'invalid_batch_settlement_evm_claim_simulation_failed'

export interface ClaimReport {
  readonly claimed: number
  readonly failed: number
}

/**
 * Claims what was charged and pays it out. A claim names sums, so one that is sent twice takes nothing twice. Every
 * channel is read before and after: only the chain says what was claimed. May reject with ChainUnavailable or
 * SignerUnavailable.
 */
export async function claimChannels(context: ChannelContext): Promise<ClaimReport> {
  const rows = await context.ledger.claimableChannels(MOST_CHANNELS)
  let claimed = 0
  let failed = 0
  for (let from = 0; from < rows.length; from += LARGEST_BATCH) {
    const batch = await readClaimable(context, rows.slice(from, from + LARGEST_BATCH))
    const bad = await claimBatch(context, batch)
    failed += bad.length
    claimed += batch.length - bad.length
    for (const row of bad) await noteFailure(context, row)
  }
  await payOut(context)
  return { claimed, failed }
}

async function readClaimable(
  context: ChannelContext,
  rows: readonly ChannelRow[],
): Promise<readonly ChannelRow[]> {
  const read = await Promise.all(rows.map((row) => refreshChannel(context, row)))
  return read.filter((row) => claimableOf(row) > row.totalClaimed)
}

/** Returns the failed channels. A batch whose simulation fails is halved. */
async function claimBatch(
  context: ChannelContext,
  rows: readonly ChannelRow[],
): Promise<readonly ChannelRow[]> {
  if (rows.length === 0) return []
  const claimAuthorizerSignature = await signClaims(context, rows)
  const act = { type: 'claim', claims: rows.map(wireClaim), claimAuthorizerSignature }
  // Without a reply, it may still be mined: the next run reads the chain first.
  const reply = await settleAct(context, act).catch(() => null)
  if (reply?.success === true) {
    for (const row of rows) await refreshChannel(context, row)
    return []
  }
  if (reply?.errorReason !== SIMULATION_FAILED || rows.length === 1) return rows
  const half = Math.ceil(rows.length / 2)
  return [
    ...(await claimBatch(context, rows.slice(0, half))),
    ...(await claimBatch(context, rows.slice(half))),
  ]
}

async function noteFailure(context: ChannelContext, row: ChannelRow): Promise<void> {
  const now = await refreshChannel(context, row)
  if (now.charged > now.totalClaimed) context.report('channel_claim_failed')
}

/** After a lost reply, the next run looks again. */
async function payOut(context: ChannelContext): Promise<void> {
  const { payTo, asset, requirements } = context.prices
  const { claimed, settled } = await context.reader.payee(payTo, asset)
  if (claimed === settled) return
  const act = { type: 'settle', receiver: requirements.payTo, token: requirements.asset }
  await settleAct(context, act).catch(() => null)
}
