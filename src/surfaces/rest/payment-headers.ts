import type { IncomingMessage } from 'node:http'
import type { Proof } from '../../payments/sale.ts'

/** A proof as the sale takes it, or two of them, between which nobody chooses. */
export type HeaderProof = Proof | { readonly kind: 'repeated' }

/**
 * Reads the payment headers of x402: `PAYMENT-SIGNATURE` (version 2), else `X-PAYMENT` (version 1).
 *
 * An empty header counts as absent. A `PAYMENT-SIGNATURE` that was given twice is `repeated`, also when both are
 * alike: Node would join them into one text that no client has signed for.
 */
export function readProof(req: IncomingMessage): HeaderProof {
  const texts = given(req, 'payment-signature')
  if (texts.length > 1) return { kind: 'repeated' }
  if (texts[0] !== undefined) return { kind: 'text', text: texts[0] }
  return given(req, 'x-payment').length > 0 ? { kind: 'version-1' } : { kind: 'none' }
}

function given(req: IncomingMessage, name: string): string[] {
  if (req.headers[name] === undefined) return []
  return (req.headersDistinct[name] ?? []).map((text) => text.trim()).filter((text) => text !== '')
}
