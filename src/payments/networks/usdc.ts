import type { Hex } from 'viem'
import { BASE } from './base.ts'

/** USDC on Base; the sandbox's token has the same address. */
export const USDC: Hex = BASE.token.address

/** Its atomic unit is a millionth of a dollar. */
export const USDC_DECIMALS = BASE.token.decimals
