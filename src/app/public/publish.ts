import type { SkillRegistry } from '../../catalog/skill.ts'
import { VERSION } from '../../files/version.ts'
import { buildAgentCard, readCardIdentity, type ServedCard } from '../../surfaces/a2a/card/agent-card.ts'
import type { DocumentContext } from '../../surfaces/documents/document-context.ts'
import { type Guide, readGuides } from '../../surfaces/documents/texts/guides.ts'
import type { ListingOptions } from '../../surfaces/rest/listing.ts'
import type { PageContext } from '../../surfaces/site/page-context.ts'
import { loadCardKey } from '../keys/signing-keys.ts'
import type { AppOptions } from '../options.ts'
import type { PaymentLayer } from '../payments/payment-layer.ts'
import { documentContext, listingOptions } from './document-context.ts'

export interface Published {
  readonly card: ServedCard
  readonly listing: ListingOptions
  readonly context: DocumentContext & PageContext
  readonly guides: readonly Guide[]
}

export interface PublishParts {
  readonly registry: SkillRegistry
  readonly payments: PaymentLayer
  /** UTC milliseconds. */
  readonly startedAt: number
}

export async function publish(
  options: AppOptions,
  { registry, payments, startedAt }: PublishParts,
): Promise<Published> {
  const cardKey = loadCardKey(options.cardKey, options.dataDir)
  const listing = listingOptions(options, payments)
  const card = await buildAgentCard({
    identity: readCardIdentity(),
    registry,
    baseUrl: options.baseUrl,
    version: VERSION,
    key: cardKey,
    channels: payments.channels !== undefined,
    mark: listing.mark,
    networkName: listing.networkName,
  })
  const context = documentContext(options, { registry, payments, listing, cardKey, startedAt })
  return { card, listing, context, guides: readGuides({ ...options, packages: context.packages }) }
}
