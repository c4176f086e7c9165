import type { PaymentPayload } from '@x402/core/types'
import { member } from './json.ts'
import { paymentStateUrl } from './payment-state-url.ts'
import type { PurchaseOutcome } from './purchase.ts'
import { isSentInVain, type Refusal, refusalIn } from './reply.ts'
import type { FinalReply } from './retry.ts'

/**
 * The codes that promise that no payment sent so far with the authorization is ever charged; any other refusal leaves that
 * open. packages/command/test/buyer/not-bought.test.ts compares them with the promises that the service publishes.
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
  'clock_wrong',
  'sales_paused',
])

export const isNeverCharged = (code: string): boolean => NEVER_CHARGED.has(code)

/** `url` is that of the service. */
export function notBought(
  reply: Exclude<FinalReply<unknown>, { kind: 'sold' }>,
  payload: PaymentPayload,
  url: string,
): Extract<PurchaseOutcome, Refusal> {
  const { kind, code } = reply
  const isFree = kind !== 'in_doubt' && (isNeverCharged(code) || (kind === 'refused' && isSentInVain(code)))
  if (!isFree) return { kind: 'in_doubt', ...refusalIn(reply), state: paymentStateUrl(payload, url) }
  const payer = String(member(payload, 'payload', 'authorization').from)
  return { kind: 'refused', ...refusalIn(reply), signed: true, payer }
}
