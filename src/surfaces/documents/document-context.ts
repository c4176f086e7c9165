import type { PaymentRequirements } from '@x402/core/types'
import type { StaticDocument } from '../../http/body/static-document.ts'
import type { ReceiptIdentity } from '../../receipts/receipt-signer.ts'
import type { ServiceFacts } from '../call/service-facts.ts'
import type { Packages } from './packages.ts'

/** A public key as it is published (RFC 7517). */
export type Jwk = Readonly<Record<string, string>>

export interface DocumentContext extends ServiceFacts {
  /** The terms of a call over a payment channel; absent if channels are off. */
  readonly channel?: PaymentRequirements
  readonly mcpInstructions: string
  readonly mcpVersions: readonly [string, ...string[]]
  readonly tools: readonly object[]
  /** The key that signs the agent card, then those that did before. */
  readonly cardKeys: readonly Jwk[]
  readonly receipts: ReceiptIdentity
  readonly formerReceipts: readonly ReceiptIdentity[]
  readonly packages: Packages
  /** UTC milliseconds of the start. */
  readonly startedAt: number
}

export type BuildDocument = (context: DocumentContext) => StaticDocument

export function jsonDocument(
  route: string,
  value: unknown,
  contentType = 'application/json; charset=utf-8',
): StaticDocument {
  return { route, body: JSON.stringify(value), contentType }
}

export function markdownDocument(route: string, lines: readonly string[]): StaticDocument {
  return { route, body: `${lines.join('\n')}\n`, contentType: 'text/markdown; charset=utf-8' }
}

export const titleOf = ({ listing, mark }: DocumentContext): string =>
  mark === null ? listing.service : `${listing.service} (${mark})`
