import type { Hex } from './chain-reader.ts'

/** The settlement contract of payment channels and its ERC-3009 deposit collector: the same on every chain. */
export const SETTLEMENT: Hex = '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003'
export const DEPOSIT_COLLECTOR: Hex = '0x4020806089470a89826cB9fB1f4059150b550004'
