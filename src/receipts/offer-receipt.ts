/**
 * Name of the extension for signed offers and receipts (x402 extension offer-and-receipt 1.0).
 * `@x402/extensions/offer-receipt` has it, too, but loads a second jose and all of @noble/curves.
 */
export const OFFER_RECEIPT = 'offer-receipt'
