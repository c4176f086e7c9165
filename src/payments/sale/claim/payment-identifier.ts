import {
  extractPaymentIdentifier,
  isValidPaymentId,
  PAYMENT_IDENTIFIER,
} from '@x402/extensions/payment-identifier'
import { isObject } from '../../../json.ts'
import type { Payment } from '../../authorization/decode-payment.ts'
import type { Keyring } from '../../secrets/keyring.ts'

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

/**
 * Whether a buyer sent an identifier that cannot be one. Sold without it, the call would be charged again when it is
 * repeated under a new signature, which is what the buyer sent the identifier against. Some clients write null for
 * none.
 */
export function hasBentIdentifier({ extensions }: Pick<Payment, 'extensions'>): boolean {
  const extension = extensions[PAYMENT_IDENTIFIER]
  if (!isObject(extension) || !isObject(extension.info)) return false
  const { id } = extension.info
  return id !== undefined && id !== null && !isValidPaymentId(id as string)
}
