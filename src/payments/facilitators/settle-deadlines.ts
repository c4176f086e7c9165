import type { PaymentPayload } from '@x402/core/types'

/**
 * Returns the deadline of a settlement, `settleMs` after its first attempt, in milliseconds of the monotonic clock. The
 * core settles again by itself on "settlement_pending", with the same payload object; both attempts share the deadline.
 */
export function settleDeadlines(settleMs: number): (payload: PaymentPayload, now: number) => number {
  const deadlines = new WeakMap<PaymentPayload, number>()
  return (payload, now) => {
    const deadline = deadlines.get(payload) ?? now + settleMs
    deadlines.set(payload, deadline)
    return deadline
  }
}
