/** The price of one value of any skill, in US dollars; written down nowhere else. */
export const PRICE_USD = '0.001'

export const PRICE = `$${PRICE_USD}` as const
