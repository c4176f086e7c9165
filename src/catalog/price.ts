/** The price of one value of any skill, in US dollars; written down nowhere else. */
export const PRICE_USD = '0.001'

export const PRICE = `$${PRICE_USD}` as const

/** In millionths of a dollar, which are the atomic units of USDC. */
export const PRICE_UNITS = BigInt(Math.round(Number(PRICE_USD) * 1_000_000))
