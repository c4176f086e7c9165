import { extractPaymentIdentifier, isValidPaymentId } from '@x402/extensions/payment-identifier'
import type { Payment } from './decode-proof.ts'
import type { Keyring } from './keyring.ts'

/**
 * The MAC of payer and payment identifier, where the buyer sent a valid one; null otherwise. The client's own schema
 * in the extension is never compiled.
 */
export function identifierOf(keys: Keyring, { authorization, extensions }: Payment): Buffer | null {
  const payload = { x402Version: 2, extensions } as Parameters<typeof extractPaymentIdentifier>[0]
  const id = extractPaymentIdentifier(payload, false)
  if (typeof id !== 'string' || !isValidPaymentId(id)) return null
  return keys.mac('identifier', Buffer.from(authorization.from), Buffer.from(id))
}
