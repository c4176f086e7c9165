import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, SettleResponse } from '@x402/core/types'
import { FacilitatorFault } from './facilitator-fault.ts'

/**
 * A facilitator that answers a repeated settlement only with success or with the first answer.
 *
 * The core settles a second time by itself, with the same payload object, if the first answer is `settlement_pending`
 * with a transaction. If that second call cannot connect, or is refused (for example for the balance that the first one
 * has used up), it sent nothing, but the first one did: as a whole the outcome is unknown.
 */
export function settleOnce(facilitator: FacilitatorClient): FacilitatorClient {
  const attempted = new WeakMap<PaymentPayload, SettleResponse | undefined>()
  return {
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    getSupported: () => facilitator.getSupported(),
    async settle(payload, requirements) {
      const again = attempted.has(payload)
      const first = attempted.get(payload)
      attempted.set(payload, first)
      try {
        const reply = await facilitator.settle(payload, requirements)
        if (reply.success === true) return reply
        if (!again) attempted.set(payload, reply)
        return again && first !== undefined ? first : reply
      } catch (error) {
        if (!again) throw error
        if (first !== undefined) return first
        throw new FacilitatorFault('unknown', 'settling again failed', { cause: error })
      }
    },
  }
}
