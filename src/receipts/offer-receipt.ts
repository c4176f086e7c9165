/**
 * x402 extension offer-and-receipt 1.0. `@x402/extensions/offer-receipt` loads a second jose and all of @noble/curves.
 */
export const OFFER_RECEIPT = 'offer-receipt'
