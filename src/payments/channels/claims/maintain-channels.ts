import { isRecent } from '../../../caches/is-recent.ts'
import type { ChannelTotals } from '../../../ledger/channels/channel-totals.ts'
import { withStoreLock } from '../../../ledger/store/store-lock.ts'
import { ifAnswered } from '../../chain/chain-reader.ts'
import { claimableOf } from '../channel-balance.ts'
import type { ChannelContext } from '../channel-context.ts'
import { resolveDeposit } from '../deposits/resolve-deposit.ts'
import { type ClaimReport, claimChannels } from './claim-channels.ts'
import { refreshChannel } from './refresh-channel.ts'

/** Channels, and deposits in doubt, that one run reads. */
const MOST_READ = 200
const CLAIM_EVERY_MS = 6 * 3_600_000
const LAST_CLAIM = 'channels-claimed-at'

export interface Maintenance {
  /** Claimed for us of channels without a row, in atomic units; null until every channel was read once. */
  claimedWithoutRow(): bigint | null
  /** The next run that node and signer answer claims, whatever the schedule says. */
  claimSoon(): void
  /** One run; null while another replica holds the lock. Rejects with StoreUnavailable or SignerUnavailable. */
  run(): Promise<ClaimReport | null>
}

/**
 * One replica at a time resolves deposits in doubt, watches withdrawals, and claims: on a schedule, when much is
 * unclaimed, and at once when a payer withdraws.
 */
export function createMaintenance(context: ChannelContext): Maintenance {
  const { ledger, owner, now } = context
  let isDue = false
  /** Undefined between two rounds over the channels. */
  let after: string | undefined
  /** What was claimed for us on the chain when the round began; null if the node did not answer all of the round. */
  let claimedAtStart: bigint | null = null
  let claimedWithoutRow: bigint | null = null

  const resolveDeposits = async () => {
    const rows = await ledger.unresolvedDeposits(now(), MOST_READ)
    // At once: one that the node is slow about, or never answers for, must not delay the others or the claims.
    await Promise.all(rows.map((row) => ifAnswered(() => resolveDeposit(context, row))))
  }
  /** Reads some of the channels, the next time those behind them or behind one that is not answered. */
  const watchSome = async () => {
    const { payTo, asset } = context.prices
    if (after === undefined)
      claimedAtStart = (await ifAnswered(() => context.reader.payee(payTo, asset)))?.claimed ?? null
    const rows = await ledger.fundedChannels(MOST_READ, after)
    for (const seen of rows) {
      after = seen.id
      const row = await ifAnswered(() => refreshChannel(context, seen))
      if (row === null) {
        claimedAtStart = null
        return false
      }
      if (row.withdrawRequestedAt === 0) continue
      if (seen.withdrawRequestedAt === 0) context.report('channel_withdrawal_seen')
      if (claimableOf(row) > row.totalClaimed) isDue = true
    }
    const isRoundOver = rows.length < MOST_READ
    if (isRoundOver) after = undefined
    return isRoundOver
  }
  /** A round in which a channel was not answered is followed by the next at once. */
  const watchWithdrawals = async () => {
    const hasGap = after !== undefined && claimedAtStart === null
    return (await watchSome()) && (!hasGap || watchSome())
  }
  const noteExposure = async (): Promise<ChannelTotals> => {
    const totals = await ledger.channelTotals(now())
    context.exposure.set(totals.exposed)
    return totals
  }
  const isScheduled = async () => {
    const last = await ledger.ensureFact(LAST_CLAIM, String(now()))
    if (isRecent(Number(last), now(), CLAIM_EVERY_MS)) return false
    await ledger.replaceFact(LAST_CLAIM, last, String(now()))
    return true
  }
  return {
    claimedWithoutRow: () => claimedWithoutRow,
    claimSoon: () => {
      isDue = true
    },
    run: async () => {
      const done = await withStoreLock({ ledger, name: 'channels', owner, now }, async () => {
        let report: ClaimReport = { claimed: 0, failed: 0 }
        if (await isScheduled()) isDue = true
        await resolveDeposits()
        const isRoundOver = await watchWithdrawals()
        await ifAnswered(async () => {
          if (!isDue) return
          let isWhole = true
          report = await claimChannels(context, () => {
            isWhole = false
          })
          if (isWhole) isDue = false
        })
        const { claimed } = await noteExposure()
        // After a whole round, the rows have all that was claimed before it, but for channels without a row.
        if (isRoundOver && claimedAtStart !== null)
          claimedWithoutRow = claimedAtStart > claimed ? claimedAtStart - claimed : 0n
        return report
      })
      // The bound also holds for the sales of a replica that never holds the lock.
      if (done === null) await noteExposure()
      return done
    },
  }
}
