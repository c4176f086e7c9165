import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, SettleResponse } from '@x402/core/types'
import { FacilitatorFault } from './facilitator-fault.ts'

/**
 * Settles; a repeated settlement is answered only with success or with the first answer.
 *
 * The core settles a second time by itself, with the same payload object, if the first answer is `settlement_pending`
 * with a transaction. If the second call fails or is refused (for example since the first one has used up the balance),
 * that says nothing about the first, so the outcome stays pending or unknown.
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
