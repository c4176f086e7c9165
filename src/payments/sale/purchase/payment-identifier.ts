import {
  extractPaymentIdentifier,
  isValidPaymentId,
  PAYMENT_IDENTIFIER,
} from '@x402/extensions/payment-identifier'
import { isObject } from '../../../values/json.ts'
import type { Payment } from '../../authorization/decode-payment.ts'
import type { Keyring } from '../../secrets/keyring.ts'

/**
 * The MACs of payer and payment identifier under every key in use, the present one first; empty without a valid
 * identifier. The schema that the client sends with the extension is never compiled.
 */
export function identifiersOf(keys: Keyring, { authorization, extensions }: Payment): readonly Buffer[] {
  const payload = { x402Version: 2, extensions } as Parameters<typeof extractPaymentIdentifier>[0]
  const id = extractPaymentIdentifier(payload, false)
  if (typeof id !== 'string' || !isValidPaymentId(id)) return []
  return keys.macs('identifier', Buffer.from(authorization.from), Buffer.from(id))
}

/**
 * Whether a payment carries an invalid identifier. If it were sold without one, a repeat under a new signature would
 * be charged again, which the identifier is meant to prevent. Some clients send null for no identifier.
 */
export function hasBentIdentifier({ extensions }: Pick<Payment, 'extensions'>): boolean {
  const extension = extensions[PAYMENT_IDENTIFIER]
  if (!isObject(extension) || !isObject(extension.info)) return false
  const { id } = extension.info
  return id !== undefined && id !== null && !isValidPaymentId(id as string)
}
