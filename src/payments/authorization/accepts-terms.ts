import type { Terms } from '../terms/terms.ts'
import type { Payment } from './decode-payment.ts'

/** Path of a member of a payment, such as "accepted.maxTimeoutSeconds". */
export type PaymentMember = string

/**
 * The first member of a payment that differs from the terms; null if it accepts them. The test of the x402 core, except
 * that the case of an address does not matter.
 */
export function differingMember(
  { accepted, authorization, token }: Payment,
  { requirements, asset, payTo, amount }: Terms,
  items: number,
): PaymentMember | null {
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
