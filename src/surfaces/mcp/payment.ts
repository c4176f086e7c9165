import type { IncomingMessage } from 'node:http'
import { type PaymentHeader, readPaymentHeader } from '../../http/headers/payment-header.ts'
import type { RawPayment } from '../../payments/ports/sale.ts'

/**
 * The payment of a tool call: `_meta["x402/payment"]`, an object by the specification and base64 text from some
 * clients; without it the payment headers of HTTP, which paying fetch wrappers send.
 */
export function paymentOf(req: IncomingMessage, inMeta: unknown): PaymentHeader | RawPayment {
  if (inMeta === undefined) return readPaymentHeader(req)
  return typeof inMeta === 'string' ? { kind: 'text', text: inMeta } : { kind: 'object', payload: inMeta }
}
