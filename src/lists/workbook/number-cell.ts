/** A number of 16 digits or more: 15 are kept, the rest is made up. */
const LOST_FROM = 1e15

/** A number as a person reads it, and whether it has all of its digits. */
export function numberCell(text: string): { readonly text: string; readonly isLost: boolean } {
  const number = Number(text)
  if (!Number.isFinite(number)) return { text, isLost: false }
  const isLost = Math.abs(number) >= LOST_FROM
  return { text: isLost ? number.toPrecision(15) : String(number), isLost }
}

/** Columns of the largest sheets. */
export const MOST_COLUMNS = 16_384
