import type { Hex } from 'viem'

/** USDC on Base (Circle, developers.circle.com/stablecoins/usdc-contract-addresses); the sandbox's token has it too. */
export const USDC: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

/** Its atomic unit is a millionth of a dollar. */
export const USDC_DECIMALS = 6
