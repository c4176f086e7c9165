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

/**
 * A payment identifier is optional. The header has room for the rules of an id alone; beside the reason of a refusal
 * not even for these.
 */
const identifierOf = (id: object) => ({
  [PAYMENT_IDENTIFIER]: { info: { required: false }, schema: { properties: { id } } },
})

const IDENTIFIER = identifierOf(paymentIdentifierSchema.properties.id)
const IDENTIFIER_IN_BRIEF = identifierOf({ type: 'string' })

/** A refused client knows how to call, and the header needs the room for the reason. */
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
