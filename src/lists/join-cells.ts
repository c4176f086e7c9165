import { CHECKS, VAT_PREFIXES } from 'format-checker-checks'
import { joinedWords } from 'format-checker-checks/internal/text/heading-words'
import type { ListCheck } from './value-looks.ts'

/** How the cell of a checked column becomes the value that is checked. */
export type Joining =
  /** The country is in the column of that index. */
  | { readonly kind: 'country'; readonly at: number }
  /** Polish account numbers of 26 digits lack PL. */
  | { readonly kind: 'polish_account' }

type Cells = readonly string[]

/** Null if cells are values as they are. A country is joined for headings that programs are known to write, or if it was named. */
export function joiningOf(
  check: ListCheck,
  index: number,
  first: Cells,
  below: readonly Cells[],
): Joining | null {
  if (check.id === 'iban')
    return isPolish(below.map((cells) => cells[index] ?? '')) ? { kind: 'polish_account' } : null
  if (check.id !== 'eu-vat') return null
  const name = joinedWords(first[index] ?? '')
  const pairs = Object.entries(check.words.countries).filter(([, numbers]) =>
    numbers.some((each) => joinedWords(each) === name),
  )
  const at = first.findIndex((heading) =>
    pairs.some(([country]) => joinedWords(country) === joinedWords(heading)),
  )
  return at < 0 || at === index ? null : { kind: 'country', at }
}

/**
 * For numbers without a prefix; -1 without such a column. At least half of the filled cells on both sides must be so.
 */
export function likelyCountry(
  check: ListCheck,
  index: number,
  below: readonly Cells[],
  width: number,
): number {
  const filled = (at: number) => below.map((cells) => cells[at]?.trim() ?? '').filter((cell) => cell !== '')
  if (check.id !== 'eu-vat' || filled(index).length === 0 || filled(index).some(hasPrefix)) return -1
  return Array.from({ length: width }, (_, at) => at).findIndex((at) => {
    const cells = filled(at)
    return at !== index && cells.length > 0 && cells.filter(isCountry).length * 2 >= cells.length
  })
}

const hasPrefix = (cell: string): boolean => /^[A-Z]{2}[ -]?[0-9A-Z]/i.test(cell)
const isCountry = (cell: string): boolean => {
  const country = cell.trim().toUpperCase()
  return country === 'GR' || VAT_PREFIXES.has(country)
}

/** The value of a row. A country that is there already is not put in front again; Greece has EL. */
export function joinedValue(value: string, cells: Cells, joining: Joining | null): string {
  if (joining === null || value.trim() === '') return value
  if (joining.kind === 'polish_account') return isAccount(value) ? `PL${value.trim()}` : value
  const country = cells[joining.at]?.trim().toUpperCase() ?? ''
  if (!/^[A-Z]{2}$/.test(country) || CHECKS['eu-vat'](value).valid) return value
  const prefix = country === 'GR' ? 'EL' : country
  const start = value.trim().slice(0, 2).toUpperCase()
  return start === prefix || start === country ? value : `${prefix}${value.trim()}`
}

const isAccount = (cell: string): boolean => /^\d{26}$/.test(cell.replace(/[\s-]/g, ''))

/** Nine of ten filled cells must be such accounts whose check digits fit. */
function isPolish(cells: Cells): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '')
  const fitting = filled.filter(
    (cell) => isAccount(cell) && CHECKS.iban(`PL${cell.replace(/[\s-]/g, '')}`).valid,
  )
  return fitting.length > 0 && fitting.length * 10 >= filled.length * 9
}

/** A prefix that the number format of a cell shows, as `"PL"0` does, is a part of the value. */
export const withShownPrefix = (text: string, shown: string | undefined): string =>
  shown !== undefined &&
  /^[A-Z]{2}[ -]?[\d -]+$/.test(shown) &&
  Number(shown.replace(/\D/g, '')) === Number(text)
    ? shown
    : text

/** A Polish account of which a spreadsheet kept 15 digits, with zeros for the others. */
export const isRoundedAccount = ({ id }: ListCheck, value: string): boolean =>
  id === 'iban' && /^(?:PL)?\d{15}0{11}$/.test(value) && !CHECKS.iban(`PL${value.replace('PL', '')}`).valid

export const mayHaveCountryApart = ({ id }: ListCheck): boolean => id === 'eu-vat'
