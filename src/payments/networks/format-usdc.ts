import { millionths } from '../../values/millionths.ts'

/** Atomic units as an amount with its currency, e.g. "0.001 USDC". */
export const usdc = (amount: string | bigint): string => `${millionths(BigInt(amount))} USDC`
