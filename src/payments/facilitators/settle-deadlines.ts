import type { PaymentPayload } from '@x402/core/types'

/**
 * Returns the deadline of a settlement, `settleMs` after its first attempt, in milliseconds of the monotonic clock. The
 * core settles again by itself on "settlement_pending", with the same payload object; both attempts share the deadline.
 */
export function settleDeadlines(
  settleMs: number,
  monotonicMs = () => performance.now(),
): (payload: PaymentPayload) => number {
  const deadlines = new WeakMap<PaymentPayload, number>()
  return (payload) => {
    const deadline = deadlines.get(payload) ?? monotonicMs() + settleMs
    deadlines.set(payload, deadline)
    return deadline
  }
}
