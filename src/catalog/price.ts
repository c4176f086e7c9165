import { parseUnits } from 'viem/utils'
import { USDC_DECIMALS } from '../payments/networks/usdc.ts'

/** The price of one value of any skill, in US dollars; written down nowhere else. */
export const PRICE_USD = '0.001'

export const PRICE = `$${PRICE_USD}` as const

/** In millionths of a dollar, which are the atomic units of USDC. */
export const PRICE_UNITS = parseUnits(PRICE_USD, USDC_DECIMALS)
