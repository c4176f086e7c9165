import type { SkillRegistry } from '../../catalog/skill.ts'
import { SOURCE } from '../../files/source.ts'
import { VERSION } from '../../files/version.ts'
import { titleOf } from '../../payments/networks/networks.ts'
import type { CardKey } from '../../surfaces/a2a/card/card-key.ts'
import type { DocumentContext } from '../../surfaces/documents/document-context.ts'
import { mcpHosts } from '../../surfaces/documents/mcp-hosts.ts'
import { readPackages } from '../../surfaces/documents/packages.ts'
import { INSTRUCTIONS } from '../../surfaces/mcp/server.ts'
import { toolsOf } from '../../surfaces/mcp/tools.ts'
import { MCP_VERSIONS } from '../../surfaces/mcp/versions.ts'
import { type ListingOptions, listing } from '../../surfaces/rest/listing.ts'
import type { PageContext } from '../../surfaces/site/page-context.ts'
import { readFormerKeys } from '../keys/former-keys.ts'
import type { AppOptions } from '../options.ts'
import type { PaymentLayer } from '../payments/payment-layer.ts'

export const listingOptions = (
  { baseUrl, facilitatorUrl, networks: [{ network }], sandbox }: AppOptions,
  { terms: { requirements }, channels }: PaymentLayer,
): ListingOptions => ({
  baseUrl,
  network: network.id,
  networkName: titleOf(network.id),
  asset: requirements.asset,
  payTo: requirements.payTo,
  facilitator: facilitatorUrl,
  mark: network.isRealMoney ? null : sandbox ? 'SANDBOX' : 'TEST MONEY',
  channels: channels !== undefined,
})

/** What the documents say of the packages in `dist/`, and of the way to start the command. */
export function packagesNow({ baseUrl, operator, sandbox }: AppOptions) {
  const packages = readPackages({ baseUrl, version: VERSION, sandbox, ...operator })
  return { packages, mcpHosts: mcpHosts({ baseUrl, packages }) }
}

export function documentContext(
  options: AppOptions,
  {
    registry,
    payments,
    listing: payment,
    cardKey,
    startedAt,
  }: {
    readonly registry: SkillRegistry
    readonly payments: PaymentLayer
    readonly listing: ListingOptions
    readonly cardKey: CardKey
    /** UTC milliseconds. */
    readonly startedAt: number
  },
): DocumentContext & PageContext {
  const { baseUrl, sandbox } = options
  const former = readFormerKeys(options.keys, baseUrl)
  const channel = payments.channels?.quote.required('payment_required').accepts[0]
  return {
    baseUrl,
    version: VERSION,
    sandbox,
    chain: options.networks[0].network,
    mark: payment.mark,
    skills: registry,
    quote: payments.quotes.single,
    listing: listing(registry, payment),
    ...(channel === undefined ? {} : { channel }),
    mcpInstructions: INSTRUCTIONS,
    mcpVersions: MCP_VERSIONS,
    tools: toolsOf(registry, payments.quotes.single),
    cardKeys: [...cardKey.jwks.keys, ...former.cardKeys],
    receipts: payments.receipts,
    formerReceipts: former.receipts,
    operator: options.operator,
    source: SOURCE,
    ...packagesNow(options),
    startedAt,
  }
}
