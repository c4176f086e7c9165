import { formatUnits } from 'viem/utils'
import { USDC_DECIMALS } from './usdc.ts'

/** Atomic units as an amount with its currency, e.g. "0.001 USDC". */
export const usdc = (amount: string | bigint): string => `${formatUnits(BigInt(amount), USDC_DECIMALS)} USDC`
