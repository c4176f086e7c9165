import type { PaymentKey } from './payment-row.ts'

const MARK = 'deposit'

/**
 * The payment name of a task while its deposit is being sent, derived from the charge that follows (channel and
 * voucher). Once charged the task has the charge's own name, so the two cannot be confused.
 */
export const depositHold = (charge: PaymentKey): PaymentKey => ({
  ...charge,
  nonce: `${charge.nonce}/${MARK}`,
})

/** The charge that such a name waits for; null for the name of a payment or a charge. */
export function heldFor({
  nonce,
}: PaymentKey): { readonly channel: string; readonly voucher: bigint } | null {
  const [channel = '', voucher = '', mark] = nonce.split('/')
  return mark === MARK ? { channel, voucher: BigInt(voucher) } : null
}
