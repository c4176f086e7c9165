/** `/facilitator`: who settles, where this service settles its own payments; the listing's `facilitator` leads here. */
import type { StaticDocument } from '../../../http/body/static-document.ts'
import type { DocumentContext } from '../document-context.ts'

/** The page where the listing names it as the facilitator; none where another facilitator settles. */
export function ownFacilitator({ baseUrl, listing }: DocumentContext): readonly StaticDocument[] {
  const route = '/facilitator'
  if (listing.facilitator !== `${baseUrl}${route}`) return []
  return [{ route, body: TEXT, contentType: 'text/markdown; charset=utf-8' }]
}

const TEXT = `# Facilitator

This service settles its payments itself: it sends the buyer's EIP-3009 authorization to the token contract on Base
(\`eip155:8453\`) and pays the gas. There is no facilitator interface at this address, and a buyer needs none: sign the
offered terms with an x402 version 2 client and repeat the request with the \`PAYMENT-SIGNATURE\` header.

What became of one authorization: \`GET /payments/{payer}/{nonce}\`.
`
