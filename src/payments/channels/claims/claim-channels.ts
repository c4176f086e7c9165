import type { ChannelRow } from '../../../ledger/channel-store.ts'
import { claimableOf } from '../channel-balance.ts'
import type { ChannelContext } from '../channel-context.ts'
import { settleAct, signClaims, wireClaim } from './claim-payload.ts'
import { noteLoss, refreshChannel } from './refresh-channel.ts'

/** Channels in one claim: a settlement may need 600,000 gas, and one channel of a batch some 27,000. */
const LARGEST_BATCH = 16
/** Channels claimed in one run. */
const MOST_CHANNELS = 512
const SIMULATION_FAILED = 'invalid_batch_settlement_evm_claim_simulation_failed'

export interface ClaimReport {
  readonly claimed: number
  readonly failed: number
}

type Claimer = Pick<
  ChannelContext,
  'ledger' | 'facilitator' | 'authorizer' | 'reader' | 'prices' | 'now' | 'report'
>

/**
 * Claims what was charged and pays it out. A claim names sums, so one that is sent twice takes nothing twice. Every
 * channel is read first, and again afterwards: the chain alone says what was claimed.
 */
export async function claimChannels(context: Claimer): Promise<ClaimReport> {
  const rows = await context.ledger.claimableChannels(MOST_CHANNELS)
  let claimed = 0
  let failed = 0
  for (let from = 0; from < rows.length; from += LARGEST_BATCH) {
    const batch = await readable(context, rows.slice(from, from + LARGEST_BATCH))
    const bad = await claimBatch(context, batch)
    failed += bad.length
    claimed += batch.length - bad.length
    for (const row of bad) await noteFailure(context, row)
  }
  await payOut(context)
  return { claimed, failed }
}

/** The channels of which something is left to claim by the chain's own word. */
async function readable(context: Claimer, rows: readonly ChannelRow[]): Promise<readonly ChannelRow[]> {
  const read = await Promise.all(rows.map((row) => refreshChannel(context, row)))
  for (const [index, row] of read.entries()) noteLoss(context, rows[index] as ChannelRow, row)
  return read.filter((row) => claimableOf(row) > row.totalClaimed)
}

/** Claims a batch in one transaction; one whose simulation fails is halved until the offenders are alone. */
async function claimBatch(context: Claimer, rows: readonly ChannelRow[]): Promise<readonly ChannelRow[]> {
  if (rows.length === 0) return []
  const claimAuthorizerSignature = await signClaims(context, rows)
  const act = { type: 'claim', claims: rows.map(wireClaim), claimAuthorizerSignature }
  // Without an answer it may be mined all the same: the next run reads the chain first.
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

async function noteFailure(context: Claimer, row: ChannelRow): Promise<void> {
  const now = await refreshChannel(context, row)
  if (now.charged > now.totalClaimed) context.report('channel_claim_failed')
}

/** Pays out what is claimed for us; a reply that is lost is made up for by the next run. */
async function payOut(context: Pick<Claimer, 'facilitator' | 'reader' | 'prices'>): Promise<void> {
  const { payTo, asset, requirements } = context.prices
  const { claimed, settled } = await context.reader.payee(payTo, asset)
  if (claimed === settled) return
  const act = { type: 'settle', receiver: requirements.payTo, token: requirements.asset }
  await settleAct(context, act).catch(() => null)
}
