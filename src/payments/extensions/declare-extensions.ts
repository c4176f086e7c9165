import type { PaymentRequirements } from '@x402/core/types'
import { OFFER_RECEIPT } from '@x402/extensions/offer-receipt'
import { PAYMENT_IDENTIFIER } from '@x402/extensions/payment-identifier'
import type { SkillRegistry } from '../../skills/skill.ts'
import type { SurfaceName } from '../sale.ts'
import { type DeclareExtensions, type QuoteKind, type QuoteOptions, resourceUrl } from '../terms/quotes.ts'
import { discoveryOf, listDiscoveryOf } from './discovery.ts'
import type { ReceiptSigner } from './receipt-signer.ts'
import { signedOffer } from './signed-offer.ts'

export interface ExtensionParts {
  readonly baseUrl: string
  readonly requirements: PaymentRequirements
  readonly signer: ReceiptSigner
  /** UTC milliseconds. */
  readonly now: () => number
  /** Whether quotes carry a second offer, of payment channels. */
  readonly channels?: boolean
}

/**
 * Whether an offer is signed. A 402 over HTTP travels in a head of 3.5 kB, which has no room for the terms of a channel,
 * the declaration for catalogues and a signed offer. Catalogues read the first 402 alone, so the offer is in the others.
 */
const hasRoomForOffer = (
  { channels = false }: ExtensionParts,
  surface: SurfaceName,
  kind: QuoteKind,
): boolean => !(channels && surface !== 'mcp' && kind === 'unpaid')

/**
 * A payment identifier is read but not required. The package's own declaration repeats the rules of an id in 190
 * characters of schema, which a header has no room for.
 */
const IDENTIFIER = {
  info: { required: false },
  schema: { type: 'object', properties: { id: { type: 'string' } } },
}

/**
 * The extensions of every quote: payment identifier, signed offer, and for an unpaid call how to call. A client whose
 * payment was refused knows how to call, and the header needs the room for the reason.
 */
export function extensionsFor(parts: ExtensionParts): DeclareExtensions {
  const { baseUrl, requirements, signer, now } = parts
  return (skill, surface, kind) => ({
    ...(kind === 'unpaid' ? discoveryOf(skill, surface) : {}),
    [PAYMENT_IDENTIFIER]: IDENTIFIER,
    ...(hasRoomForOffer(parts, surface, kind) && {
      [OFFER_RECEIPT]: signedOffer(signer, {
        resourceUrl: resourceUrl(baseUrl, skill.id, surface),
        requirements,
        now: now(),
      }),
    }),
  })
}

/** The same for lists: the offer is signed for the amount of the whole list. */
export function listExtensionsFor(
  parts: ExtensionParts & { readonly registry: SkillRegistry },
): NonNullable<QuoteOptions['declareListExtensions']> {
  const { baseUrl, requirements, signer, now, registry } = parts
  return ({ type, items, shape }, surface, kind) => ({
    ...(kind === 'unpaid' && surface === 'rest' ? listDiscoveryOf(registry.get(type), registry) : {}),
    [PAYMENT_IDENTIFIER]: IDENTIFIER,
    ...(hasRoomForOffer(parts, surface, kind) && {
      [OFFER_RECEIPT]: signedOffer(signer, {
        resourceUrl: resourceUrl(baseUrl, type, surface, shape),
        requirements: { ...requirements, amount: String(BigInt(requirements.amount) * BigInt(items)) },
        now: now(),
      }),
    }),
  })
}
