import { PAYMENT_IDENTIFIER, paymentIdentifierSchema } from '@x402/extensions/payment-identifier'
import type { SkillRegistry } from '../../catalog/skill.ts'
import { discoveryOf } from '../../payments/extensions/discovery.ts'
import { signedOffers } from '../../payments/extensions/signed-offer.ts'
import { resourceUrl } from '../../payments/terms/quoted-resource.ts'
import { acceptsFor, type DeclareExtensions } from '../../payments/terms/quotes.ts'
import type { Terms } from '../../payments/terms/terms.ts'
import { OFFER_RECEIPT } from '../../receipts/offer-receipt.ts'
import type { ReceiptSigner } from '../../receipts/receipt-signer.ts'
import type { NonEmpty } from '../../values/non-empty.ts'

export interface ExtensionParts {
  readonly baseUrl: string
  readonly registry: SkillRegistry
  readonly terms: NonEmpty<Terms>
  readonly signer: ReceiptSigner
  /** UTC milliseconds. */
  readonly now: () => number
}

/** A payment identifier is optional. A quote with the reason of a refusal has no room in its header for the rules of an id. */
const identifierOf = (id: object) => ({
  [PAYMENT_IDENTIFIER]: { info: { required: false }, schema: { properties: { id } } },
})

const IDENTIFIER = identifierOf(paymentIdentifierSchema.properties.id)
const IDENTIFIER_IN_BRIEF = identifierOf({ type: 'string' })

/** A refused client knows how to call, so its quote leaves discovery out. */
export function extensionsFor({ baseUrl, terms, signer, now, registry }: ExtensionParts): DeclareExtensions {
  return async (quoted, surface) => {
    const offer = {
      [OFFER_RECEIPT]: await signedOffers(signer, {
        resourceUrl: resourceUrl(baseUrl, quoted, surface),
        accepts: acceptsFor(terms, quoted),
        now: now(),
      }),
    }
    const discovery = discoveryOf(quoted, surface, registry)
    return {
      unpaid: { ...discovery, ...IDENTIFIER, ...offer },
      refused: { ...IDENTIFIER_IN_BRIEF, ...offer },
    }
  }
}
