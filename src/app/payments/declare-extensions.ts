import type { PaymentRequirements } from '@x402/core/types'
import { PAYMENT_IDENTIFIER, paymentIdentifierSchema } from '@x402/extensions/payment-identifier'
import { discoveryOf } from '../../payments/extensions/discovery.ts'
import { OFFER_RECEIPT } from '../../payments/extensions/offer-receipt.ts'
import type { ReceiptSigner } from '../../payments/extensions/receipt-signer.ts'
import { signedOffer } from '../../payments/extensions/signed-offer.ts'
import { type DeclareExtensions, resourceUrl } from '../../payments/terms/quotes.ts'
import type { SkillRegistry } from '../../skills/skill.ts'

export interface ExtensionParts {
  readonly baseUrl: string
  readonly registry: SkillRegistry
  readonly requirements: PaymentRequirements
  readonly signer: ReceiptSigner
  /** UTC milliseconds. */
  readonly now: () => number
}

/**
 * A payment identifier is read but not required. Of the package's own schema a header has room for the rules of an id
 * alone, and next to the reason for a refusal not for them.
 */
const identifierOf = (id: object) => ({
  [PAYMENT_IDENTIFIER]: { info: { required: false }, schema: { properties: { id } } },
})

const IDENTIFIER = identifierOf(paymentIdentifierSchema.properties.id)
const IDENTIFIER_IN_BRIEF = identifierOf({ type: 'string' })

/**
 * The extensions of every quote: payment identifier, signed offer, and for an unpaid call how to call. A client whose
 * payment was refused knows how to call, and the header needs the room for the reason. The offer is signed once, for
 * the amount of all values.
 */
export function extensionsFor({
  baseUrl,
  requirements,
  signer,
  now,
  registry,
}: ExtensionParts): DeclareExtensions {
  return async (quoted, surface) => {
    const { type, items, shape } = quoted
    const offer = {
      [OFFER_RECEIPT]: await signedOffer(signer, {
        resourceUrl: resourceUrl(baseUrl, type, surface, shape),
        requirements: { ...requirements, amount: String(BigInt(requirements.amount) * BigInt(items)) },
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
