import type { PaymentPayload } from '@x402/core/types'
import { member } from './json.ts'
import { paymentStateUrl } from './payment-state-url.ts'
import type { PurchaseOutcome } from './purchase.ts'
import { entryOf, isSentInVain, type Refusal, refusalIn } from './reply.ts'
import type { FinalReply } from './retry.ts'

/** Any other refusal leaves open whether a payment sent so far with the authorization is charged. */
export const isNeverCharged = (code: string): boolean => entryOf(code)?.promise === 'never'

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
