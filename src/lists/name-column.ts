/** The column by which a person knows a row: of names, beside the values. */
import type { InputRow } from './input-row.ts'

/** Headings of names in the languages that headings of values are read in. */
const NAMED =
  /\b(?:names?|supplier|vendor|creditor|customer|client|company|payee|beneficiary|employee|naz\w*|kontrahent|dostawca|odbiorca|klient|firma|pracownik|lieferant|kreditor|kunde|empfänger|mitarbeiter|fournisseur|nom|société|bénéficiaire|proveedor|cliente|nombre|fornitore|nome|leverancier|naam)\b/iu

const SAMPLE = 50

/** A bank code, an address, or a code of a country, as they stand beside account numbers. */
const CODE = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$|@|^[A-Z]{1,4}$/

/**
 * A column with the heading of a name, else the nearest that holds names, the left one of two. Null if only the checked
 * columns are filled.
 */
export function nameColumn(
  rows: readonly InputRow[],
  header: readonly string[],
  checked: readonly number[],
): number | null {
  const [value = 0] = checked
  const filled = rows.filter(({ cells }) => (cells[value] ?? '').trim() !== '').slice(0, SAMPLE)
  const width = Math.max(0, ...filled.map(({ cells }) => cells.length))
  const near = Array.from({ length: width }, (_, at) => at)
    .filter((at) => !checked.includes(at))
    .toSorted((a, b) => Math.abs(a - value) - Math.abs(b - value) || a - b)
    .map((at) => ({
      at,
      cells: filled.map(({ cells }) => cells[at]?.trim() ?? '').filter((cell) => cell !== ''),
    }))
    .filter(({ cells }) => cells.length > 0)
  const names = near.filter(({ cells }) => areNames(cells))
  const headed = names.find(({ at }) => NAMED.test(header[at] ?? ''))
  return (headed ?? names[0] ?? near[0])?.at ?? null
}

/** Mostly words, and mostly different ones: a town or a currency repeats. */
function areNames(cells: readonly string[]): boolean {
  const words = cells.filter((cell) => /\p{L}.*\p{L}/u.test(cell) && !CODE.test(cell))
  return words.length * 2 > cells.length && new Set(words).size * 2 > words.length
}
