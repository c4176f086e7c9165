import { extractPaymentIdentifier, isValidPaymentId } from '@x402/extensions/payment-identifier'
import type { Keyring } from '../secrets/keyring.ts'
import type { Payment } from './decode-payment.ts'

/**
 * The MACs of payer and payment identifier under every key in use, the present one first; none where the buyer sent
 * no valid identifier. The client's own schema in the extension is never compiled.
 */
export function identifiersOf(keys: Keyring, { authorization, extensions }: Payment): readonly Buffer[] {
  const payload = { x402Version: 2, extensions } as Parameters<typeof extractPaymentIdentifier>[0]
  const id = extractPaymentIdentifier(payload, false)
  if (typeof id !== 'string' || !isValidPaymentId(id)) return []
  return keys.macs('identifier', Buffer.from(authorization.from), Buffer.from(id))
}
