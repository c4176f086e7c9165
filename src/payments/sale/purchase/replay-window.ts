import { endOf, type PaymentRow } from '../../../ledger/payments/payment-row.ts'
import type { ReplayWindows } from '../../../ledger/payments/purge.ts'

/** UTC milliseconds by the clock of the ledger and of the chain; null until a block is known. */
export interface Clocks {
  readonly now: () => number
  readonly chainTime: () => number | null
}

/** How long the answer of a settled sale is repeated to its buyer. */
export const REPLAY_WINDOWS: ReplayWindows = { deliveredMs: 3_600_000, undeliveredMs: 86_400_000 }

/** UTC milliseconds. */
export const replayUntil = ({ deliveredAt, settledAt }: PaymentRow): number =>
  deliveredAt === null
    ? (settledAt ?? 0) + REPLAY_WINDOWS.undeliveredMs
    : deliveredAt + REPLAY_WINDOWS.deliveredMs

/**
 * UTC milliseconds: the earlier of both clocks, so that a clock that is put forward a day deletes nothing that a buyer
 * has paid for. No window ends before a block is known.
 */
export const windowTime = ({ now, chainTime }: Clocks): number => Math.min(now(), chainTime() ?? 0)

/**
 * UTC milliseconds: the later of both clocks, so that a window that begins under a clock that was put back a day is not over
 * once the clock is right.
 */
export const recordTime = ({ now, chainTime }: Clocks): number => Math.max(now(), chainTime() ?? 0)

/** `now`: {@link windowTime}. */
export const isWindowOver = (row: PaymentRow, now: number): boolean =>
  row.state === 'settled' && (row.binding === null || replayUntil(row) < now)

/** A task must not expire before the replay window can have ended. */
export const claimedTaskExpiry = (
  row: Pick<PaymentRow, 'validBefore'> & {
    readonly settledAt?: number | null
  },
): number => taskExpiry(Math.max(endOf(row) * 1000, row.settledAt ?? 0))

/** `at`: when the payment of the task is over; both are UTC milliseconds. */
export const taskExpiry = (at: number): number => at + REPLAY_WINDOWS.undeliveredMs + 60_000
