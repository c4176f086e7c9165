import { isRecent } from '../../../is-recent.ts'
import type { ChannelTotals } from '../../../ledger/channel-store.ts'
import { withStoreLock } from '../../../ledger/store-lock.ts'
import { ChainUnavailable } from '../../chain/chain-reader.ts'
import { claimableOf } from '../channel-balance.ts'
import type { ChannelContext } from '../channel-context.ts'
import { resolveDeposit } from '../deposits/resolve-deposit.ts'
import { claimChannels } from './claim-channels.ts'
import { noteLoss, refreshChannel } from './refresh-channel.ts'

/** Channels, and deposits in doubt, that one run reads. */
const MOST_READ = 200
/** Claims run this often, in milliseconds, if nothing asks for them earlier. */
const CLAIM_EVERY_MS = 6 * 3_600_000
const LAST_CLAIM = 'channels-claimed-at'

export interface Maintenance {
  /** Claimed for us of channels that the store does not know, in atomic units; null before every channel was read. */
  claimedWithoutRow(): bigint | null
  /** Claims at the next run, whatever the schedule says. */
  claimSoon(): void
  /** One run; null if another replica has the turn. Rejects with StoreUnavailable. */
  run(): Promise<{ readonly claimed: number; readonly failed: number } | null>
}

/**
 * The background work on channels, by one replica at a time: looks up deposits in doubt, watches withdrawals, and claims
 * what was charged: on a schedule, when much is unclaimed, and at once when a payer withdraws.
 */
export function createMaintenance(context: ChannelContext): Maintenance {
  const { ledger, owner, now } = context
  let isDue = false
  let after: string | undefined
  /** What the contract had claimed for us when the present round over the channels began. */
  let claimedAtStart = 0n
  let claimedWithoutRow: bigint | null = null

  const resolveDeposits = async () => {
    for (const row of await ledger.unresolvedDeposits(now(), MOST_READ)) await resolveDeposit(context, row)
  }
  /** Reads some of the channels, the others in later runs; true if a payer withdraws from under a voucher. */
  const watchWithdrawals = async (): Promise<boolean> => {
    const { payTo, asset } = context.prices
    if (after === undefined) claimedAtStart = (await context.reader.payee(payTo, asset)).claimed
    const rows = await ledger.fundedChannels(MOST_READ, after)
    after = rows.length < MOST_READ ? undefined : rows.at(-1)?.id
    let isUrgent = false
    for (const seen of rows) {
      const row = await refreshChannel(context, seen)
      noteLoss(context, seen, row)
      if (row.withdrawRequestedAt === 0) continue
      if (seen.withdrawRequestedAt === 0) context.report('channel_withdrawal_seen')
      isUrgent ||= claimableOf(row) > row.totalClaimed
    }
    return isUrgent
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
        let report = { claimed: 0, failed: 0 }
        let isRoundOver = false
        try {
          await resolveDeposits()
          const isUrgent = await watchWithdrawals()
          isRoundOver = after === undefined
          const wasDue = isDue
          isDue = false
          if (isUrgent || wasDue || (await isScheduled())) report = await claimChannels(context)
        } catch (error) {
          if (!(error instanceof ChainUnavailable)) throw error
        }
        const { claimed } = await noteExposure()
        // Once every open channel was read, what was claimed before is in the rows, or of channels without one.
        if (isRoundOver) claimedWithoutRow = claimedAtStart > claimed ? claimedAtStart - claimed : 0n
        return report
      })
      // The bound holds for the sales of this replica, also while another one has the turn.
      if (done === null) await noteExposure()
      return done
    },
  }
}
