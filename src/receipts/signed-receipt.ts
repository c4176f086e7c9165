import type { SettleResponse } from '@x402/core/types'
import { OFFER_RECEIPT } from './offer-receipt.ts'
import type { ReceiptSigner } from './receipt-signer.ts'

/** The signed part of a receipt. */
export interface ReceiptPayload {
  readonly version: 1
  readonly network: SettleResponse['network']
  readonly resourceUrl: string
  readonly payer: string
  /** Who was paid; over a payment channel its receiver. */
  readonly payTo: string
  /** UTC seconds. */
  readonly issuedAt: number
  readonly transaction: string
  /** Atomic units. */
  readonly amount: string
  /** Salted hashes (receipt-hashes.ts), hex; absent once the salt is deleted. */
  readonly requestHash?: string
  readonly resultHash?: string
}

/** Our own extension: the salt of the hashes, for the buyer alone. */
export const RECEIPT_SALT = 'receipt-salt'

/** Signs a receipt (x402 extension offer-and-receipt 1.0, section 5.2, with members of our own). */
export const signReceipt = async (
  signer: ReceiptSigner,
  payload: ReceiptPayload,
  salt?: Buffer,
): Promise<SettleResponse> => settlementOf(payload, await signer.sign(payload), salt?.toString('hex'))

export function settlementOf(payload: ReceiptPayload, signature: string, salt?: string): SettleResponse {
  const { payer, transaction, network } = payload
  const extensions = {
    [OFFER_RECEIPT]: receiptExtension(signature),
    ...(salt === undefined ? {} : { [RECEIPT_SALT]: { info: { salt } } }),
  }
  return { success: true, payer, transaction, network, extensions }
}

export const receiptExtension = (signature: string) => ({
  info: { receipt: { format: 'jws', signature } },
  schema: { type: 'object', required: ['receipt'] },
})
