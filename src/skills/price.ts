/** The price of one call of any skill, in US dollars; the only place it is written down. */
export const PRICE_USD = '0.001'

export const PRICE = `$${PRICE_USD}` as const
