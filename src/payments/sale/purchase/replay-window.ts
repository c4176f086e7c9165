import { endOf, type PaymentRow } from '../../../ledger/payments/payment-row.ts'

export const REPLAY_WINDOWS = { deliveredMs: 3_600_000, undeliveredMs: 86_400_000 }

/** UTC milliseconds. */
export const replayUntil = ({ deliveredAt, settledAt }: PaymentRow): number =>
  deliveredAt === null
    ? (settledAt ?? 0) + REPLAY_WINDOWS.undeliveredMs
    : deliveredAt + REPLAY_WINDOWS.deliveredMs

/** `now`: `windowTime`. */
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
