import type { PaymentPayload } from '@x402/core/types'
import { member } from './json.ts'

export function paymentStateUrl(payload: PaymentPayload, url: string): string {
  const { from, nonce } = member(payload, 'payload', 'authorization')
  return new URL(`/payments/${from}/${nonce}`, url).href
}
