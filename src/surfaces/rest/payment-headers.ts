import type { IncomingMessage } from 'node:http'
import type { SettleResponse } from '@x402/core/types'
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

/** `PAYMENT-RESPONSE` as the x402 core encodes it: base64 of the JSON in UTF-8. */
export function receiptHeader(settlement: SettleResponse): string {
  return Buffer.from(JSON.stringify(settlement)).toString('base64')
}
