import type { Hex } from 'viem'
import { USDC } from '../payments/chain/usdc.ts'
import { CHAIN_ID } from '../payments/terms/terms.ts'

/** Chain id of Base, which the sandbox's chain has too, so that clients need no other setting. */
export const BASE_CHAIN_ID = CHAIN_ID

/** The sandbox's token is at the address of USDC. */
export const TOKEN: Hex = USDC

/** Multicall3, the same address on every chain (multicall3.com). */
export const MULTICALL3: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Settlement contract of the scheme `batch-settlement` and its ERC-3009 deposit collector: the same on every chain. */
export const CHANNEL_SETTLEMENT: Hex = '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003'
export const DEPOSIT_COLLECTOR: Hex = '0x4020806089470a89826cB9fB1f4059150b550004'
