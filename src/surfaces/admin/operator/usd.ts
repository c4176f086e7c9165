import { USDC_DECIMALS } from '../../../payments/networks/usdc.ts'

const UNIT = 10n ** BigInt(USDC_DECIMALS)

/** Atomic units as US dollars, exactly: at least two decimals, and as many more as there are. */
export function formatUsd(amount: bigint): string {
  const fraction = (amount % UNIT)
    .toString()
    .padStart(USDC_DECIMALS, '0')
    .replace(/0{1,4}$/, '')
  const whole = (amount / UNIT).toString().replace(/\B(?=(\d{3})+$)/g, ',')
  return `$${whole}.${fraction}`
}
