import type { PaymentPayload } from '@x402/core/types'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type SignedTransfer, signPayment, termsFor } from './chain-payments.ts'

/** The text of a PAYMENT-SIGNATURE header: base64 of the payload's JSON. */
export const encodeHeader = (payload: unknown): string =>
  Buffer.from(JSON.stringify(payload)).toString('base64')

/** A payment of one call, signed, before it is put into a header. */
export async function payloadFor(
  account: PrivateKeyAccount,
  payTo: Hex,
  fields: Partial<SignedTransfer> = {},
): Promise<PaymentPayload> {
  return (await signPayment(account, termsFor(payTo), fields)).payload
}

/** A payment of one call, as the header's text. */
export const headerFor = async (
  account: PrivateKeyAccount,
  payTo: Hex,
  fields: Partial<SignedTransfer> = {},
): Promise<string> => encodeHeader(await payloadFor(account, payTo, fields))
