/**
 * Name of the extension for signed offers and receipts (x402 extension offer-and-receipt 1.0). Not imported from
 * `@x402/extensions/offer-receipt`: that module loads a second jose and everything of @noble/curves, for one word.
 */
export const OFFER_RECEIPT = 'offer-receipt'
