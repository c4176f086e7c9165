import type { SkillRegistry } from '../../catalog/skill.ts'
import { VERSION } from '../../files/version.ts'
import { buildAgentCard, readCardIdentity } from '../../surfaces/a2a/card/agent-card.ts'
import { readGuides } from '../../surfaces/documents/texts/guides.ts'
import { openCardKey } from '../keys/signing-keys.ts'
import type { AppOptions } from '../options.ts'
import type { PaymentLayer } from '../payments/payment-layer.ts'
import { documentContext, listingOptions, packagesNow } from './document-context.ts'

export type Published = Awaited<ReturnType<typeof publish>>

export interface PublishParts {
  readonly registry: SkillRegistry
  readonly payments: PaymentLayer
  /** UTC milliseconds. */
  readonly startedAt: number
}

export async function publish(options: AppOptions, { registry, payments, startedAt }: PublishParts) {
  const cardKey = openCardKey(options)
  const listing = listingOptions(options, payments)
  const card = await buildAgentCard({
    identity: readCardIdentity(),
    registry,
    baseUrl: options.baseUrl,
    version: VERSION,
    key: cardKey,
    offersAllSchemes: payments.channels !== undefined,
    mark: listing.mark,
    networkName: listing.networkName,
  })
  const context = documentContext(options, { registry, payments, listing, cardKey, startedAt })
  return { card, listing, context, guides: readGuides(context) }
}

/** The same documents with the packages that `npm run pack` has written meanwhile. */
export function publishPackages(options: AppOptions, published: Published): Published {
  const context = { ...published.context, ...packagesNow(options) }
  return { ...published, context, guides: readGuides(context) }
}
