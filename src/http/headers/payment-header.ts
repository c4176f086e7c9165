/** The payment of a request as its headers carry it, before anything of it is believed. */
import type { IncomingMessage } from 'node:http'

/** A proof as a sale takes it, or two of them, between which nobody chooses. */
export type PaymentHeader =
  | { readonly kind: 'none' }
  /** The text of `PAYMENT-SIGNATURE`. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'version-1' }
  | { readonly kind: 'repeated' }

/**
 * Reads the payment headers of x402: `PAYMENT-SIGNATURE` (version 2), else `X-PAYMENT` (version 1).
 *
 * An empty header counts as absent. A `PAYMENT-SIGNATURE` that was given twice is `repeated`, also when both are
 * alike: Node would join them into one text that no client has signed for.
 */
export function readPaymentHeader(req: IncomingMessage): PaymentHeader {
  const [text, ...more] = given(req, 'payment-signature')
  if (more.length > 0) return { kind: 'repeated' }
  if (text !== undefined) return { kind: 'text', text }
  return given(req, 'x-payment').length > 0 ? { kind: 'version-1' } : { kind: 'none' }
}

function given(req: IncomingMessage, name: string): string[] {
  // Node sorts the distinct headers out only when they are asked for, so most requests are spared it.
  if (req.headers[name] === undefined) return []
  return (req.headersDistinct[name] ?? []).map((text) => text.trim()).filter((text) => text !== '')
}
