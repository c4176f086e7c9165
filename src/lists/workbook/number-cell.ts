/** From 16 digits on a spreadsheet keeps 15 and puts zeros for the others. */
const LOST_FROM = 1e15

/** The text of a number cell that shows `digits` digits or more; `isLost` if it may lack some. */
export function numberCell(text: string, digits = 0): { readonly text: string; readonly isLost: boolean } {
  const number = Number(text)
  if (!Number.isFinite(number)) return { text, isLost: false }
  const isLost = Math.abs(number) >= LOST_FROM
  if (isLost) return { text: number.toPrecision(15), isLost }
  return {
    text:
      number < 0 || number % 1 !== 0
        ? String(Number(number.toPrecision(15)))
        : String(number).padStart(digits, '0'),
    isLost,
  }
}
