import type { PaymentPayload } from '@x402/core/types'
import { member } from './json.ts'
import { paymentStateUrl } from './payment-state-url.ts'
import type { PurchaseOutcome } from './purchase.ts'
import { isSentInVain, type Refusal } from './reply.ts'
import type { FinalReply } from './retry.ts'

/**
 * Codes whose answer promises that nothing sent before it will be charged, and no others: a refusal under any other code,
 * or under none, leaves open what became of the payment. test/buyer/not-bought.test.ts compares them with the promises
 * that the service publishes.
 */
const NEVER_CHARGED: ReadonlySet<string> = new Set([
  'payment_required',
  'payment_malformed',
  'payment_version_unsupported',
  'payment_terms_mismatch',
  'payment_expired',
  'payment_not_yet_valid',
  'payment_valid_too_long',
  'payment_invalid_signature',
  'payment_insufficient_funds',
  'payment_identifier_conflict',
  'facilitator_unavailable',
  'chain_unavailable',
  'sales_paused',
])

/** Whether a code promises that no payment sent so far under the authorization will ever be charged. */
export const isNeverCharged = (code: string): boolean => NEVER_CHARGED.has(code)

/** The outcome of a payment that was signed, sent, and bought nothing. `url` is that of the service. */
export function notBought(
  reply: Exclude<FinalReply<unknown>, { kind: 'sold' }>,
  payload: PaymentPayload,
  url: string,
): Extract<PurchaseOutcome, Refusal> {
  const { kind, status, code, detail } = reply
  const isFree = kind !== 'in_doubt' && (isNeverCharged(code) || (kind === 'refused' && isSentInVain(code)))
  return isFree
    ? { kind: 'refused', status, code, detail, signed: true, payer: payerOf(payload) }
    : { kind: 'in_doubt', status, code, detail, state: paymentStateUrl(payload, url) }
}

const payerOf = (payload: PaymentPayload): string => String(member(payload, 'payload', 'authorization').from)
