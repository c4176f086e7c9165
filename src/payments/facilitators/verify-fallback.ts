import type { FacilitatorClient } from '@x402/core/server'

/**
 * A facilitator whose `verify` goes to a second one if the first fails. Its `settle` never does: what the first one did
 * before it failed is not known, and two must not both settle. A rejection by the first facilitator is final.
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
