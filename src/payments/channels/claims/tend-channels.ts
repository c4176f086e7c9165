import { ChainUnavailable } from '../../chain/chain-reader.ts'
import { withStoreLock } from '../../recovery/store-lock.ts'
import { settleDeposit } from '../deposits/bring-in.ts'
import type { ChannelContext } from '../sale/channel-context.ts'
import { claimChannels } from './claim-channels.ts'
import { refreshChannel } from './refresh-channel.ts'

/** Channels that are read in one run, and deposits that are looked for. */
const MOST_READ = 200
/** Claims run this often, in milliseconds, if nothing asks for them earlier. */
const CLAIM_EVERY_MS = 6 * 3_600_000
const LAST_CLAIM = 'channels-claimed-at'

export interface Tending {
  /** Claims at the next run, whatever the schedule says. */
  claimSoon(): void
  /** One run; null if another replica has the turn. Rejects with StoreUnavailable. */
  run(): Promise<{ readonly claimed: number; readonly failed: number } | null>
}

/**
 * What happens to channels between calls, one replica at a time: deposits in doubt are looked up, withdrawals are
 * watched, and what was charged is claimed, on a schedule, when much is exposed, and at once when a payer withdraws.
 */
export function createTending(context: ChannelContext): Tending {
  const { ledger, owner, now } = context
  let isDue = false
  let after: string | undefined

  const resolveDeposits = async () => {
    for (const row of await ledger.unresolvedDeposits(now(), MOST_READ)) await settleDeposit(context, row)
  }
  /** Reads some of the channels, the others in later runs; true if a payer withdraws from under a voucher. */
  const watchWithdrawals = async (): Promise<boolean> => {
    const rows = await ledger.fundedChannels(MOST_READ, after)
    after = rows.length < MOST_READ ? undefined : rows.at(-1)?.id
    let isUrgent = false
    for (const seen of rows) {
      const row = await refreshChannel(context, seen)
      if (row.withdrawRequestedAt === 0) continue
      if (seen.withdrawRequestedAt === 0) context.report('channel_withdrawal_seen')
      isUrgent ||= row.charged > row.totalClaimed
    }
    return isUrgent
  }
  const isScheduled = async () => {
    const last = await ledger.ensureFact(LAST_CLAIM, String(now()))
    if (now() - Number(last) < CLAIM_EVERY_MS) return false
    await ledger.replaceFact(LAST_CLAIM, last, String(now()))
    return true
  }
  return {
    claimSoon: () => {
      isDue = true
    },
    run: () =>
      withStoreLock({ ledger, name: 'channels', owner, now }, async () => {
        let report = { claimed: 0, failed: 0 }
        try {
          await resolveDeposits()
          const isUrgent = await watchWithdrawals()
          const wasDue = isDue
          isDue = false
          if (isUrgent || wasDue || (await isScheduled())) report = await claimChannels(context)
        } catch (error) {
          if (!(error instanceof ChainUnavailable)) throw error
        }
        context.exposure.set((await ledger.channelTotals(now())).exposed)
        return report
      }),
  }
}
