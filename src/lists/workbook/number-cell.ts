/** From 16 digits on a spreadsheet keeps 15 and puts zeros for the others. */
const LOST_FROM = 1e15

/** The text of a number cell; `isLost` if it may lack digits. */
export function numberCell(text: string): { readonly text: string; readonly isLost: boolean } {
  const number = Number(text)
  if (!Number.isFinite(number)) return { text, isLost: false }
  const isLost = Math.abs(number) >= LOST_FROM
  return { text: isLost ? number.toPrecision(15) : String(number), isLost }
}

/** Columns of the largest sheets. */
export const MOST_COLUMNS = 16_384
