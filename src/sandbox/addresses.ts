import type { Hex } from '../payments/chain/chain-reader.ts'

/** Chain id of Base, which the sandbox's chain carries too, so that clients need no other setting. */
export const BASE_CHAIN_ID = 8453

/** USDC on Base (Circle, developers.circle.com/stablecoins/usdc-contract-addresses). */
export const TOKEN: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

/** Multicall3, the same address on every chain (multicall3.com). */
export const MULTICALL3: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11'
