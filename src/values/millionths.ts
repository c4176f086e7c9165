/** An amount in millionths as a decimal number, exact: 1000n is "0.001". */
export function millionths(amount: bigint): string {
  const digits = String(amount).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '')
}
