/** Places and ranges of cells as workbooks write them, such as "B7" and "$A$1:$H$801". */

/** Columns count from 0, rows from 1. */
export interface CellRange {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

const RANGE = /^\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?$/

/** Null for a text that is no range of cells, such as "#REF!". */
export function rangeOf(text: string | undefined): CellRange | null {
  const [, from, top, to = from, bottom = top] = RANGE.exec(text ?? '') ?? []
  const [left, right] = [columnOf(from), columnOf(to)]
  if (left === undefined || right === undefined) return null
  return { left, top: Number(top), right, bottom: Number(bottom) }
}

export const rangeText = ({ left, top, right, bottom }: CellRange): string =>
  `${nameOf(left)}${top}:${nameOf(right)}${bottom}`

/** The index of the column of a place such as "AB12"; undefined without a place. */
export function columnOf(place: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(place ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

export const nameOf = (column: number): string =>
  (column >= 26 ? nameOf(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26))

/** A range in a formula, perhaps of whole columns: `$A$1:$H$801`, `$A:$H`. */
const IN_FORMULA = /\$?([A-Z]{1,3})\$?(\d*):(\$?)([A-Z]{1,3})(\$?)(\d*)(?=,|$)/g

/** The formula with its ranges that `fits` takes reaching to the column `right`. */
export const widenedFormula = (formula: string, right: number, fits: (range: CellRange) => boolean): string =>
  formula.replace(IN_FORMULA, (whole, from, top, dollar, to, sign, bottom) => {
    const range = {
      ...{ left: columnOf(from) ?? 0, right: columnOf(to) ?? 0 },
      ...{ top: Number(top || 1), bottom: Number(bottom || Number.POSITIVE_INFINITY) },
    }
    return fits(range) && range.right < right
      ? `${whole.slice(0, whole.indexOf(':'))}:${dollar}${nameOf(right)}${sign}${bottom}`
      : whole
  })
