/** USDC has six decimals (Circle's token contract): its atomic unit is a millionth of a dollar. */
const DECIMALS = 6
const UNIT = 10n ** BigInt(DECIMALS)

/** Atomic units as US dollars, exactly: at least two decimals, and as many more as there are. */
export function formatUsd(amount: bigint): string {
  const fraction = (amount % UNIT)
    .toString()
    .padStart(DECIMALS, '0')
    .replace(/0{1,4}$/, '')
  const whole = (amount / UNIT).toString().replace(/\B(?=(\d{3})+$)/g, ',')
  return `$${whole}.${fraction}`
}
