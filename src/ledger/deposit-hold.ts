import type { PaymentKey } from './payment-row.ts'

const MARK = 'deposit'

/**
 * The name that a task is attached to while a deposit is sent for it, made from the name of the charge that is to follow
 * (channel and voucher). A task that is charged has the name of its charge, so that the two are never mistaken.
 */
export const depositHold = (charge: PaymentKey): PaymentKey => ({
  ...charge,
  nonce: `${charge.nonce}/${MARK}`,
})

/** What a task waits for that has such a name; null for the name of a payment or a charge. */
export function heldFor({
  nonce,
}: PaymentKey): { readonly channel: string; readonly voucher: bigint } | null {
  const [channel = '', voucher = '', mark] = nonce.split('/')
  return mark === MARK ? { channel, voucher: BigInt(voucher) } : null
}
