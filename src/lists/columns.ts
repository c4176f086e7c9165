import { mayBeAddress, mayBeNumber } from '../checks/text/may-be-value.ts'
import type { CheckType } from '../checks/verdict.ts'
import { ListFault } from './list-fault.ts'

/** A type to look for, and its headings as {@link lettersOf} spells them, its own name first. */
export interface ListCheck {
  readonly id: CheckType
  readonly headings: readonly string[]
  /** Values are text, such as addresses, and no numbers. */
  readonly isText: boolean
  /** Letters and digits of the shortest cells taken for values, cut-off ones too: the number of a ledger account is no IBAN. */
  readonly shortest: number
}

export interface ValueColumn {
  readonly index: number
  /** True if the first record names the columns. */
  readonly isNamed: boolean
}

type Cells = readonly string[]

/** Finds the column of the values: as named, as numbered from 1, or by its heading and cells. Throws {@link ListFault}. */
export function findValueColumn(
  check: ListCheck,
  first: Cells,
  below: readonly Cells[],
  wanted?: string,
): ValueColumn {
  if (wanted !== undefined) return findWanted(check, first, wanted)
  const [index, ...others] = matchingColumns(check, first, below)
  if (index !== undefined && others.length === 0) return { index, isNamed: true }
  if (first.length > 1) throw columnFault('say which column to check', first)
  const isNamed = isHeading(check, first[0] ?? '')
  if (mostlyValues(check, isNamed ? below : [first, ...below], 0, 3)) return { index: 0, isNamed }
  throw columnFault('few cells look like values of this type; if they are, say the column', first)
}

/** Generic words: alone they are a heading, but not beside other words ("VAT amount", "Account manager"). */
const WEAK = ['vat', 'account', 'konto', 'rachunek', 'mail', 'value']

/**
 * Finds the columns of a type by their heading: its own name, else another name, else a name among other words, else a
 * generic word. The cells below must look like values, unless the heading is a name of the type in the first record.
 */
export function matchingColumns(
  check: ListCheck,
  first: Cells,
  below: readonly Cells[],
  isTop = true,
): readonly number[] {
  const { headings } = check
  const strong = headings.filter((heading) => !WEAK.includes(heading))
  const names = first.map((cell) => (isLabelled(cell) ? '' : lettersOf(cell)))
  const columns = (fits: (name: string, at: number) => boolean, isSure = false) =>
    names.flatMap((name, at) => (fits(name, at) && (isSure || mostlyValues(check, below, at)) ? [at] : []))
  const readings = [
    () => columns((name) => name === headings[0], isTop),
    () => columns((name) => strong.includes(name), isTop),
    () => columns((_, at) => wordsOf(first[at] ?? '').some((words) => strong.includes(words))),
    () => columns((name) => WEAK.includes(name) && (name === 'value' || headings.includes(name))),
  ]
  for (const read of readings) {
    const found = read()
    if (found.length > 0) return found
  }
  return []
}

/** One to three neighbouring words of a heading, written together. */
function wordsOf(heading: string): readonly string[] {
  if (isLabelled(heading)) return []
  const words = heading.toLowerCase().split(/[^\p{L}]+/u)
  return words.flatMap((word, from) => [
    word,
    word + words[from + 1],
    word + words[from + 1] + words[from + 2],
  ])
}

/** Whether at least half of the filled cells look like values; otherwise a wrong column would be bought. */
function mostlyValues(
  check: ListCheck,
  rows: readonly Cells[],
  at: number,
  shortest = check.shortest,
): boolean {
  const filled = rows.map((cells) => cells[at]?.trim() ?? '').filter((cell) => cell !== '')
  const fitting = filled.filter((cell) => {
    if (check.isText) return LIKE_AN_ADDRESS.test(cell)
    const { length } = cell.replace(/[^\p{L}\p{N}]/gu, '')
    return LIKE_A_NUMBER.test(cell) && mayBeValue(check, cell) && length >= shortest && length <= 45
  })
  return fitting.length > 0 && fitting.length * 2 >= filled.length
}

/** Letters and digits, perhaps behind a label, with the signs that people and programs put between and around them. */
const LIKE_A_NUMBER =
  /^[\p{P}\p{S}]?["'(=#*+]*[\p{L}\p{N}][\p{L}\p{M}\p{N}\p{Pd}\p{Zs}\p{Cf}.:/'"*#()[\]{}<>]*$/u
const LIKE_AN_ADDRESS = /@|^\S+\.\p{L}{2,}$/u

function findWanted(check: ListCheck, first: Cells, wanted: string): ValueColumn {
  const named = namedColumn(first, wanted)
  if (named !== undefined) return { index: named, isNamed: true }
  const number = isNumber(wanted) ? Number(wanted) : 0
  if (number === 0 || number > first.length)
    throw columnFault('no column is that of the name or number given', first)
  return { index: number - 1, isNamed: isHeading(check, first[number - 1] ?? '') }
}

export const isNumber = (wanted: string): boolean => /^[1-9][0-9]{0,3}$/.test(wanted)

/** The column of that name; one in the same case comes first. */
export const namedColumn = (first: Cells, wanted: string): number | undefined =>
  [
    first.indexOf(wanted),
    first.findIndex((cell) => cell.trim().toLowerCase() === wanted.trim().toLowerCase()),
  ].find((index) => index >= 0)

const MOST_NAMES = 40

const columnFault = (words: string, first: Cells): ListFault =>
  new ListFault(`${words} ${given(first)}`, { option: 'column', of: first })

/** The headings to choose from, without cells that may be values: a message never repeats a value. */
function given(first: Cells): string {
  const names = first
    .map((cell) => cell.trim())
    .filter((cell) => /\p{L}/u.test(cell) && !isLabelled(cell) && !cell.includes('@'))
  if (names.length === 0) return `with --column: the file has ${first.length} columns and no headings`
  const shown = names.slice(0, MOST_NAMES).map((name) => name.slice(0, 40))
  return `with --column: the file has ${shown.join(', ')}${names.length > MOST_NAMES ? ', …' : ''}`
}

/** A heading as it is compared; "E-mail 2" is not "E-mail". */
const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** True for a value behind its label, such as "NIP 526-025-02-74". */
const isLabelled = (cell: string): boolean => cell.replace(/[^0-9]/g, '').length > 6

/** True for letters that cannot be a value. */
export const isHeading = (check: ListCheck, cell: string): boolean =>
  /\p{L}/u.test(cell) && !mayBeValue(check, cell)

export const mayBeValue = ({ isText }: Pick<ListCheck, 'isText'>, cell: string): boolean =>
  (isText ? mayBeAddress : mayBeNumber)(cell)
