import type { ReceiptSigner } from './receipt-signer.ts'

export interface Receipted {
  /** The URL the offer was made for. */
  readonly resourceUrl: string
  readonly network: string
  readonly payer: string
  /** UTC seconds. */
  readonly issuedAt: number
  readonly transaction: string
}

/**
 * The offer-receipt extension of a settlement response: proof that this payer was served at this URL (x402 extension
 * offer-and-receipt 1.0, section 5.2), with the transaction, which is public anyway.
 */
export function signedReceipt(signer: ReceiptSigner, receipted: Receipted) {
  const { resourceUrl, network, payer, issuedAt, transaction } = receipted
  const signature = signer.sign({ version: 1, network, resourceUrl, payer, issuedAt, transaction })
  return {
    info: { receipt: { format: 'jws', signature } },
    schema: { type: 'object', required: ['receipt'] },
  }
}
