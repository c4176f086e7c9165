import type { Purchase, Quote } from '../ports/sale.ts'
import { offers } from '../terms/quote-for.ts'
import type { Terms } from '../terms/terms.ts'
import type { Payment, PaymentMember } from './decode-payment.ts'

/**
 * The first member of a payment that differs from the terms; null if it accepts them. The test of the x402 core, except
 * that the case of an address does not matter. `quote`: that of the address that the payment came to.
 */
export function differingMember(
  { accepted, authorization, token }: Payment,
  { requirements, asset, payTo, amount }: Terms,
  { items }: Pick<Purchase, 'items'>,
  quote: Quote,
): PaymentMember | null {
  if (!offers(quote, requirements.scheme)) return 'accepted.scheme'
  const price = amount * BigInt(items)
  if (token.asset !== asset) return 'accepted.asset'
  for (const [name, value] of Object.entries(requirements.extra))
    if (accepted.extra?.[name] !== value) return `accepted.extra.${name}`
  if (authorization.value !== price) return 'payload.authorization.value'
  if (accepted.amount !== price.toString()) return 'accepted.amount'
  if (authorization.to !== payTo) return 'payload.authorization.to'
  if (accepted.payTo.toLowerCase() !== payTo) return 'accepted.payTo'
  return accepted.maxTimeoutSeconds === requirements.maxTimeoutSeconds ? null : 'accepted.maxTimeoutSeconds'
}
