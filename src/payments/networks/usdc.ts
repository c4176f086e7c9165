import type { Hex } from 'viem'
import { BASE } from './base.ts'

/** USDC on Base; the sandbox's token has the same address. */
export const USDC: Hex = BASE.token.address

export const USDC_DECIMALS = BASE.token.decimals

const UNIT = 10n ** BigInt(USDC_DECIMALS)

/** Atomic units as US dollars, exact, with two decimals or more. */
export function dollars(amount: bigint): string {
  const fraction = (amount % UNIT)
    .toString()
    .padStart(USDC_DECIMALS, '0')
    .replace(/0{1,4}$/, '')
  return `${groupDigits(amount / UNIT)}.${fraction}`
}

/** An integer as "1,234,567". `toLocaleString` would load locale data, which takes 12 ms of every start. */
export const groupDigits = (value: number | bigint): string =>
  String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')

export const formatUsd = (amount: bigint): string => `$${dollars(amount)}`
