import type { PaymentRequirements } from '@x402/core/types'
import type { ReceiptSigner } from '../../receipts/receipt-signer.ts'

/** Longer than clients keep a 402, so signing once an hour is enough. */
export const OFFER_VALID_SECONDS = 86_400
export const OFFER_RENEWAL_MS = 3_600_000

export interface Offered {
  readonly resourceUrl: string
  readonly accepts: readonly PaymentRequirements[]
  /** UTC milliseconds. */
  readonly now: number
}

/**
 * Our promise to sell on each of the terms until `validUntil` (x402 extension offer-and-receipt 1.0, section 4.2). Its
 * schema is empty, because a header has little room.
 */
export async function signedOffers(signer: ReceiptSigner, { resourceUrl, accepts, now }: Offered) {
  const validUntil = Math.floor(now / 1000) + OFFER_VALID_SECONDS
  const offerOf = async (
    { scheme, network, asset, payTo, amount }: PaymentRequirements,
    acceptIndex: number,
  ) => {
    const offer = { version: 1, resourceUrl, scheme, network, asset, payTo, amount, validUntil }
    return { format: 'jws', acceptIndex, signature: await signer.sign(offer) }
  }
  return {
    info: { offers: await Promise.all(accepts.map(offerOf)) },
    schema: {},
  }
}
