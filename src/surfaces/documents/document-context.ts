import type { PaymentRequirements } from '@x402/core/types'
import type { StaticDocument } from '../../http/body/static-document.ts'
import type { ReceiptIdentity } from '../../payments/extensions/receipt-signer.ts'
import type { Network } from '../../payments/networks/network.ts'
import type { Quote, SurfaceName } from '../../payments/ports/sale.ts'
import type { Listing } from '../../payments/terms/listing.ts'
import type { Skill, SkillRegistry } from '../../skills/skill.ts'
import type { McpHosts } from './mcp-hosts.ts'
import type { Packages } from './packages.ts'

/** A public key as it is published (RFC 7517). */
export type Jwk = Readonly<Record<string, string>>

/** What every document is made from; known at startup and the same until the next one. */
export interface DocumentContext {
  /** Public address without a trailing slash; the one source of every URL. */
  readonly baseUrl: string
  /** Version of the service description, from package.json. */
  readonly version: string
  /** True if everything lives on one machine. */
  readonly sandbox: boolean
  readonly chain: Network
  /** How everything is marked where the money is not real; null where it is. */
  readonly mark: string | null
  readonly skills: SkillRegistry
  readonly quote: (skill: Skill, surface: SurfaceName) => Quote
  readonly listing: Listing
  /** The terms of a call over a payment channel; absent if channels are off. */
  readonly channel?: PaymentRequirements
  readonly mcpInstructions: string
  /** The revisions of MCP that are spoken, newest first. */
  readonly mcpVersions: readonly [string, ...string[]]
  /** The MCP tools as `tools/list` shows them. */
  readonly tools: readonly object[]
  /** The key the agent card is signed with, and before it those that were. */
  readonly cardKeys: readonly Jwk[]
  readonly receipts: ReceiptIdentity
  /** Who signed them before. */
  readonly formerReceipts?: readonly ReceiptIdentity[]
  /** Where the operator reads mail; null if none is set. */
  readonly contactEmail: string | null
  /** The operator's support page and terms; null if not set. */
  readonly supportUrl: string | null
  readonly termsUrl: string | null
  readonly packages: Packages
  readonly mcpHosts: McpHosts
  /** UTC milliseconds of the start, for the one document that must expire. */
  readonly startedAt: number
}

/** Makes one document; pure. */
export type BuildDocument = (context: DocumentContext) => StaticDocument

/** A document of JSON, on one line as it goes over the wire. */
export function jsonDocument(
  route: string,
  value: unknown,
  contentType = 'application/json; charset=utf-8',
): StaticDocument {
  return { route, body: JSON.stringify(value), contentType }
}

/** A document of Markdown; the lines are joined as they stand. */
export function markdownDocument(route: string, lines: readonly string[]): StaticDocument {
  return { route, body: `${lines.join('\n')}\n`, contentType: 'text/markdown; charset=utf-8' }
}

/** The name of the service as a title, which says where the money is not real. */
export const titleOf = ({ listing, mark }: DocumentContext): string =>
  mark === null ? listing.service : `${listing.service} (${mark})`
