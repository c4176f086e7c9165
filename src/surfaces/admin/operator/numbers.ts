import { groupDigits } from '../../../payments/networks/usdc.ts'

export const counted = (value: number, noun: string): string =>
  `${groupDigits(value)} ${noun}${value === 1 ? '' : 's'}`

/** Milliseconds in the largest fitting unit, e.g. "5 min"; a negative age is 0. */
export function ageOf(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  if (minutes < 60) return `${minutes} min`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`
  return `${Math.floor(minutes / 1440)} d`
}
