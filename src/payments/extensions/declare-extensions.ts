import type { PaymentRequirements } from '@x402/core/types'
import { OFFER_RECEIPT } from '@x402/extensions/offer-receipt'
import { declarePaymentIdentifierExtension, PAYMENT_IDENTIFIER } from '@x402/extensions/payment-identifier'
import { type DeclareExtensions, resourceUrl } from '../terms/quotes.ts'
import { discoveryOf } from './discovery.ts'
import type { ReceiptSigner } from './receipt-signer.ts'
import { signedOffer } from './signed-offer.ts'

export interface ExtensionParts {
  readonly baseUrl: string
  readonly requirements: PaymentRequirements
  readonly signer: ReceiptSigner
  /** UTC milliseconds. */
  readonly now: () => number
}

/**
 * The extensions of every quote: that a payment identifier is read, a signed offer, and, for whoever asks without
 * paying, how to call. Whoever was refused knows that, and the header has no room for it beside the reason.
 */
export function extensionsFor({ baseUrl, requirements, signer, now }: ExtensionParts): DeclareExtensions {
  return (skill, surface, code) => ({
    ...(code === 'payment_required' ? discoveryOf(skill, surface) : {}),
    [PAYMENT_IDENTIFIER]: declarePaymentIdentifierExtension(false),
    [OFFER_RECEIPT]: signedOffer(signer, {
      resourceUrl: resourceUrl(baseUrl, skill.id, surface),
      requirements,
      now: now(),
    }),
  })
}
