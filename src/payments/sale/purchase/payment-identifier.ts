import {
  extractPaymentIdentifier,
  isValidPaymentId,
  PAYMENT_IDENTIFIER,
} from '@x402/extensions/payment-identifier'
import type { PaymentRow } from '../../../ledger/payments/payment-row.ts'
import { isObject } from '../../../values/json.ts'
import type { Payment } from '../../authorization/decode-payment.ts'
import type { Keyring } from '../../secrets/keyring.ts'

export interface PaymentIdentifier {
  /** Under every key in use, the present one first; empty without a valid identifier. */
  readonly macs: readonly Buffer[]
  /**
   * If a payment were sold without its malformed identifier, a repeat under a new signature would be charged again,
   * which the identifier is meant to prevent.
   */
  readonly isMalformed: boolean
}

/** The schema that the client sends with the extension is never compiled. */
export function identifierOf(keys: Keyring, payment: Payment): PaymentIdentifier {
  const { authorization, extensions } = payment
  const payload = { x402Version: 2, extensions } as Parameters<typeof extractPaymentIdentifier>[0]
  const id = extractPaymentIdentifier(payload, false)
  if (typeof id !== 'string' || !isValidPaymentId(id)) return { macs: [], isMalformed: isMalformed(payment) }
  return {
    macs: keys.macs('identifier', Buffer.from(authorization.from), Buffer.from(id)),
    isMalformed: false,
  }
}

/** What a repeat of a known payment is named by, whatever identifier it brings. */
export const identifierIn = ({ identifier }: Pick<PaymentRow, 'identifier'>): PaymentIdentifier => ({
  macs: identifier === null ? [] : [identifier],
  isMalformed: false,
})

/** Some clients send null for no identifier. */
function isMalformed({ extensions }: Pick<Payment, 'extensions'>): boolean {
  const extension = extensions[PAYMENT_IDENTIFIER]
  if (!isObject(extension) || !isObject(extension.info)) return false
  const { id } = extension.info
  return id !== undefined && id !== null && !isValidPaymentId(id as string)
}
