import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, SettleResponse } from '@x402/core/types'
import { FacilitatorFault } from './facilitator-fault.ts'

/**
 * The core settles again by itself, with the same payload object, after `settlement_pending` with a transaction. If
 * that call fails or is refused, e.g. because the first has used up the balance, it says nothing about the first: only
 * its success counts.
 */
export function settleOnce(facilitator: FacilitatorClient): FacilitatorClient['settle'] {
  const attempted = new WeakMap<PaymentPayload, SettleResponse | undefined>()
  return async (payload, requirements) => {
    const isAgain = attempted.has(payload)
    const first = attempted.get(payload)
    attempted.set(payload, first)
    try {
      const reply = await facilitator.settle(payload, requirements)
      if (reply.success === true) return reply
      if (!isAgain) attempted.set(payload, reply)
      return first ?? reply
    } catch (error) {
      if (!isAgain) throw error
      if (first !== undefined) return first
      throw new FacilitatorFault('unknown', 'settling again failed', { cause: error })
    }
  }
}
