import type { IncomingMessage } from 'node:http'

export type PaymentHeader =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'text'
      readonly text: string
      readonly version1?: true
    }
  | { readonly kind: 'repeated' }

/**
 * `PAYMENT-SIGNATURE` (version 2), else `X-PAYMENT` (version 1). An empty header counts as absent. One given twice is
 * `repeated`, even if both are equal: no rule says which counts.
 */
export function readPaymentHeader(req: IncomingMessage): PaymentHeader {
  const [text, ...more] = given(req, 'payment-signature')
  if (more.length > 0) return { kind: 'repeated' }
  if (text !== undefined) return { kind: 'text', text }
  const [older, ...others] = given(req, 'x-payment')
  if (others.length > 0) return { kind: 'repeated' }
  return older === undefined ? { kind: 'none' } : { kind: 'text', text: older, version1: true }
}

function given(req: IncomingMessage, name: string): string[] {
  // Node computes the distinct headers on first access; most requests have no payment header.
  if (req.headers[name] === undefined) return []
  return (req.headersDistinct[name] ?? []).filter(Boolean)
}
