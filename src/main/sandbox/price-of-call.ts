import { parseUnits } from 'viem/utils'
import { USDC_DECIMALS } from '../../payments/networks/usdc.ts'
import { PRICE_USD } from '../../skills/price.ts'

/** The price of one value in atomic units of USDC. */
export const PRICE_OF_CALL = parseUnits(PRICE_USD, USDC_DECIMALS)
