import type { FacilitatorClient } from '@x402/core/server'

/**
 * A facilitator whose `verify` is asked of a second one where the first fails. Its `settle` never is: what the first
 * one did before it failed is not known, and two may not both settle. A "no" of the first one stands.
 */
export function withVerifyFallback(
  facilitator: FacilitatorClient,
  fallback: Pick<FacilitatorClient, 'verify'>,
): FacilitatorClient {
  return {
    async verify(payload, requirements) {
      try {
        return await facilitator.verify(payload, requirements)
      } catch {
        return fallback.verify(payload, requirements)
      }
    },
    settle: (payload, requirements) => facilitator.settle(payload, requirements),
    getSupported: () => facilitator.getSupported(),
  }
}
