import type { IncomingMessage } from 'node:http'
import type { HeaderProof } from './exchange.ts'

/**
 * Reads the payment headers of x402: `PAYMENT-SIGNATURE` (version 2), else `X-PAYMENT` (version 1).
 *
 * An empty header counts as absent. A `PAYMENT-SIGNATURE` given twice is `repeated`, also when both are alike:
 * Node would join them into one text that no client has signed for.
 */
export function readHeaderProof(req: IncomingMessage): HeaderProof {
  const [text, ...more] = given(req, 'payment-signature')
  if (more.length > 0) return { kind: 'repeated' }
  if (text !== undefined) return { kind: 'text', text }
  return given(req, 'x-payment').length > 0 ? { kind: 'version-1' } : { kind: 'none' }
}

function given(req: IncomingMessage, name: string): string[] {
  return (req.headersDistinct[name] ?? []).map((text) => text.trim()).filter((text) => text !== '')
}
