import type { Terms } from '../terms/terms.ts'
import type { Payment } from './decode-payment.ts'

/** The test of the x402 core, except that the case of an address does not matter. */
export function acceptsTerms(
  { accepted, authorization, token }: Payment,
  { requirements, asset, payTo, amount }: Terms,
  items: number,
): boolean {
  const price = amount * BigInt(items)
  return (
    accepted.amount === price.toString() &&
    accepted.maxTimeoutSeconds === requirements.maxTimeoutSeconds &&
    token.asset === asset &&
    accepted.payTo.toLowerCase() === payTo &&
    Object.entries(requirements.extra).every(([name, value]) => accepted.extra?.[name] === value) &&
    authorization.to === payTo &&
    authorization.value === price
  )
}
