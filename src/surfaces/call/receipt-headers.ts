import type { SettleResponse } from '@x402/core/types'
import { receiptHeaderV1 } from '../../payments/terms/terms-v1.ts'
import { encodeHeader } from '../../values/json.ts'

/** Clients of x402 version 1 read the receipt in a header of their own. */
export function receiptHeaders(settlement: SettleResponse, version1: boolean): Record<string, string> {
  const headers = { 'PAYMENT-RESPONSE': encodeHeader(settlement) }
  return version1 ? { ...headers, 'X-PAYMENT-RESPONSE': receiptHeaderV1(settlement) } : headers
}
