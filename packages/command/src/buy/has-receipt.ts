import type { SettleResponse } from '@x402/core/types'
import { ReceiptFault, readReceipt, verifyReceipt } from '../../../../src/receipts/verify-receipt.ts'
import { trustedKeys } from '../verify/trusted-keys.ts'

/** Whether a sale came with a receipt over its amount, signed by the key that the service publishes. */
export async function hasReceipt(
  { settlement, amount }: { readonly settlement: SettleResponse; readonly amount: string },
  url: string,
): Promise<boolean> {
  try {
    const receipt = readReceipt({ receipt: settlement })
    const keyOf = await trustedKeys({ url: new URL(url).origin, key: undefined, jwks: undefined })
    if (keyOf === null) return false
    return verifyReceipt(receipt, keyOf(receipt.kid)).payload.amount === amount
  } catch (error) {
    if (error instanceof ReceiptFault) return false
    throw error
  }
}
