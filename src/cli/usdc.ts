import { formatUnits } from 'viem/utils'
import { USDC_DECIMALS } from '../payments/networks/usdc.ts'

/** JSON with amounts as decimal text, since JSON's numbers are too narrow for them. */
export const withAmountsAsText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? each.toString() : each))

/** Atomic units as an amount with its currency, e.g. "0.001 USDC". */
export const usdc = (amount: string | bigint): string => `${formatUnits(BigInt(amount), USDC_DECIMALS)} USDC`
