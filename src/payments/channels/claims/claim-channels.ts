import type { ChannelRow } from '../../../ledger/channels/channel-row.ts'
import { ifAnswered } from '../../chain/chain-reader.ts'
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

type Read = (row: ChannelRow) => Promise<ChannelRow | null>

/**
 * A claim names sums, so sending it twice takes nothing twice. Every channel is read before and after, because only the
 * chain knows what was claimed. `onUnread` gets each channel that the node does not answer for. May reject with
 * ChainUnavailable or SignerUnavailable.
 */
export async function claimChannels(context: ChannelContext, onUnread: () => void): Promise<ClaimReport> {
  const read: Read = async (seen) => {
    const row = await ifAnswered(() => refreshChannel(context, seen))
    if (row === null) onUnread()
    return row
  }
  const rows = await context.ledger.claimableChannels(MOST_CHANNELS)
  let claimed = 0
  let failed = 0
  for (let from = 0; from < rows.length; from += LARGEST_BATCH) {
    const found = await Promise.all(rows.slice(from, from + LARGEST_BATCH).map(read))
    const batch = found.flatMap((row) => (row !== null && claimableOf(row) > row.totalClaimed ? [row] : []))
    const bad = await claimBatch(context, batch, read)
    failed += bad.length
    claimed += batch.length - bad.length
    for (const row of bad) {
      const now = await read(row)
      if (now !== null && now.charged > now.totalClaimed) context.report('channel_claim_failed')
    }
  }
  await payOut(context)
  return { claimed, failed }
}

/** Returns the failed channels. A batch whose simulation fails is halved. */
async function claimBatch(
  context: ChannelContext,
  rows: readonly ChannelRow[],
  read: Read,
): Promise<readonly ChannelRow[]> {
  if (rows.length === 0) return []
  const claimAuthorizerSignature = await signClaims(context, rows)
  const act = { type: 'claim', claims: rows.map(wireClaim), claimAuthorizerSignature }
  // Without a reply, it may still be mined: the next run reads the chain first.
  const reply = await settleAct(context, act).catch(() => null)
  if (reply?.success === true) {
    for (const row of rows) await read(row)
    return []
  }
  if (reply?.errorReason !== SIMULATION_FAILED || rows.length === 1) return rows
  const half = Math.ceil(rows.length / 2)
  return [
    ...(await claimBatch(context, rows.slice(0, half), read)),
    ...(await claimBatch(context, rows.slice(half), read)),
  ]
}

/** After a lost reply, the next run looks again. */
async function payOut(context: ChannelContext): Promise<void> {
  const { payTo, asset, requirements } = context.prices
  const { claimed, settled } = await context.reader.payee(payTo, asset)
  if (claimed === settled) return
  const act = { type: 'settle', receiver: requirements.payTo, token: requirements.asset }
  await settleAct(context, act).catch(() => null)
}
