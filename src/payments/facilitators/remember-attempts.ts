import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload } from '@x402/core/types'
import { FacilitatorFault } from './facilitator-fault.ts'

/**
 * A facilitator that never says "not sent" of a settlement it was already asked for.
 *
 * The core settles a second time by itself, with the same payload object, when the first answer is
 * `settlement_pending` with a transaction. If that second call cannot even connect, it sent nothing, but the first
 * one did: as a whole the outcome is unknown.
 */
export function rememberAttempts(facilitator: FacilitatorClient): FacilitatorClient {
  const attempted = new WeakSet<PaymentPayload>()
  return {
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    getSupported: () => facilitator.getSupported(),
    async settle(payload, requirements) {
      const again = attempted.has(payload)
      attempted.add(payload)
      try {
        return await facilitator.settle(payload, requirements)
      } catch (error) {
        if (!again) throw error
        throw new FacilitatorFault('unknown', 'settling again failed', { cause: error })
      }
    },
  }
}
