import type { CheckType } from '../checks/verdict.ts'
import { ListFault } from './list-fault.ts'

/** What a column is looked for: the type, and how its headings are spelt, in letters, its own name first. */
export interface ListCheck {
  readonly id: CheckType
  readonly headings: readonly string[]
}

export interface ValueColumn {
  readonly index: number
  /** True if the first record names the columns. */
  readonly isNamed: boolean
}

type Cells = readonly string[]

/** Finds the column of the values: as named, as numbered from 1, or by its heading. Throws {@link ListFault}. */
export function findValueColumn(
  check: ListCheck,
  first: Cells,
  below: readonly Cells[],
  wanted?: string,
): ValueColumn {
  if (wanted !== undefined) return findWanted(check, first, wanted)
  if (first.length === 1) return { index: 0, isNamed: isHeading(check.id, first[0] ?? '') }
  const [index, ...others] = matchingColumns(check, first, below)
  if (index === undefined || others.length > 0) throw columnFault('say which column to check', first)
  return { index, isNamed: true }
}

/** Generic words: alone they are a heading, beside others they are not ("VAT amount", "Account manager"). */
const WEAK = ['vat', 'account', 'konto', 'rachunek', 'mail', 'value']

/** The columns whose heading is that of the type; the type's own name comes before any other heading. */
export function matchingColumns(
  { id, headings }: ListCheck,
  first: Cells,
  below: readonly Cells[],
): readonly number[] {
  const known = [...headings, 'value']
  const strong = known.filter((heading) => !WEAK.includes(heading))
  const names = first.map((cell) => (isLabelled(cell) ? '' : lettersOf(cell)))
  const columns = (fits: (name: string, at: number) => boolean) =>
    names.flatMap((name, at) => (fits(name, at) ? [at] : []))
  const exact = columns((name) => name === known[0])
  if (exact.length > 0) return exact
  const listed = columns((name) => known.includes(name))
  if (listed.length > 0) return listed
  return columns((name, at) => {
    if (name === '') return false
    const words = first[at]?.toLowerCase().split(/[^\p{L}]+/u) ?? []
    const runs = words.flatMap((word, from) => [
      word,
      word + words[from + 1],
      word + words[from + 1] + words[from + 2],
    ])
    return runs.some((run) => strong.includes(run)) && holdsValues(id, below, at)
  })
}

/** Every filled cell has a digit, or an "@". */
const holdsValues = (type: CheckType, rows: readonly Cells[], at: number): boolean =>
  rows.every((cells) => {
    const cell = cells[at]?.trim() ?? ''
    return cell === '' || (type === 'email' ? cell.includes('@') : /[0-9]/.test(cell))
  })

function findWanted({ id }: ListCheck, first: Cells, wanted: string): ValueColumn {
  const named = namedColumn(first, wanted)
  if (named !== undefined) return { index: named, isNamed: true }
  const number = isNumber(wanted) ? Number(wanted) : 0
  if (number === 0 || number > first.length)
    throw columnFault('no column is that of the name or number given', first)
  return { index: number - 1, isNamed: isHeading(id, first[number - 1] ?? '') }
}

/** A column said by its number. */
export const isNumber = (wanted: string): boolean => /^[1-9][0-9]{0,3}$/.test(wanted)

/** The column of that name, in the same letters before other cases. */
export const namedColumn = (first: Cells, wanted: string): number | undefined =>
  [
    first.indexOf(wanted),
    first.findIndex((cell) => cell.trim().toLowerCase() === wanted.trim().toLowerCase()),
  ].find((index) => index >= 0)

const MOST_NAMES = 40

const columnFault = (words: string, first: Cells): ListFault =>
  new ListFault(`${words} ${given(first)}`, { option: 'column', of: first })

/** The headings, for a person to choose from; a cell that may be a value is not repeated. */
function given(first: Cells): string {
  const names = first
    .map((cell) => cell.trim())
    .filter((cell) => /\p{L}/u.test(cell) && !isLabelled(cell) && !cell.includes('@'))
  if (names.length === 0) return `with --column: the file has ${first.length} columns and no headings`
  const shown = names.slice(0, MOST_NAMES).map((name) => name.slice(0, 40))
  return `with --column: the file has ${shown.join(', ')}${names.length > MOST_NAMES ? ', …' : ''}`
}

/** A heading as it is compared: its letters in lower case. */
const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')

/** A value behind its label, such as "NIP 526-025-02-74", is no heading. */
const isLabelled = (cell: string): boolean => cell.replace(/[^0-9]/g, '').length > 6

/**
 * Every identifier has a digit, and every email address an "@" or at least a full stop inside. A heading has neither,
 * but may contain abbreviations: "Adr. e-mail".
 */
export const isHeading = (type: CheckType, cell: string): boolean =>
  /\p{L}/u.test(cell) && !(type === 'email' ? /@|[\p{L}\p{N}]\.[\p{L}\p{N}]/u : /[0-9]/).test(cell)
