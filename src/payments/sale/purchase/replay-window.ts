import type { ReplayWindows } from '../../../ledger/ledger.ts'
import type { PaymentRow } from '../../../ledger/payment-row.ts'

/** UTC milliseconds by the clock of the ledger, and by the clock of the chain; null until a block is known. */
export interface Clocks {
  readonly now: () => number
  readonly chainTime: () => number | null
}

/** How long the answer of a settled sale is repeated to the buyer who paid for it. */
export const REPLAY_WINDOWS: ReplayWindows = { deliveredMs: 3_600_000, undeliveredMs: 86_400_000 }

/** UTC milliseconds at which the replay window of a settled row ends. */
export const replayUntil = ({ deliveredAt, settledAt }: PaymentRow): number =>
  deliveredAt === null
    ? (settledAt ?? 0) + REPLAY_WINDOWS.undeliveredMs
    : deliveredAt + REPLAY_WINDOWS.deliveredMs

/**
 * The time that replay windows go by, in UTC milliseconds: the earlier of the ledger's clock and the chain's. A clock that
 * is put forward a day ends no window, and nothing that a buyer has paid for is deleted. While the chain's clock is not
 * known no window ends.
 */
export const windowTime = ({ now, chainTime }: Clocks): number => Math.min(now(), chainTime() ?? 0)

/** Whether a settled row answers its buyer no more; `now` is {@link windowTime}. */
export const isWindowOver = (row: PaymentRow, now: number): boolean =>
  row.state === 'settled' && (row.binding === null || replayUntil(row) < now)

/** When the task of a claimed authorization expires: not before its replay window can have ended. */
export const claimedTaskExpiry = (row: {
  readonly validBefore: number
  readonly settledAt?: number | null
}): number => taskExpiry(Math.max(row.validBefore * 1000, row.settledAt ?? 0))

/** When a task expires whose payment is over at `at`; both UTC milliseconds. */
export const taskExpiry = (at: number): number => at + REPLAY_WINDOWS.undeliveredMs + 60_000
