import type { PaymentPayload } from '@x402/core/types'
import { member } from './json.ts'

/** Where the service publishes the state of an authorization. */
export function paymentStateUrl(payload: PaymentPayload, url: string): string {
  const { from, nonce } = member(payload, 'payload', 'authorization')
  return new URL(`/payments/${from}/${nonce}`, url).href
}
