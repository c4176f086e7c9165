import { type Candidate, candidatesOf, chosenOf } from './candidate-columns.ts'
import { mayHaveCountryApart } from './join-cells.ts'
import { ListFault } from './list-fault.ts'
import { isHeading, isLabelled, isLikely, type ListCheck, mostlyValues } from './value-looks.ts'

export interface ValueColumn {
  readonly index: number
  readonly isNamed: boolean
  readonly isWanted?: boolean
  /** The column that holds the countries, if it was named in front: `4+5`. */
  readonly countryAt?: number
  readonly why?: string
  readonly others?: readonly string[]
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
  const found = candidatesOf(check, first, below)
  const chosen = chosenOf(check, found)
  if (chosen !== null) {
    const others = found.filter((each) => each !== chosen)
    return {
      ...{ index: chosen.index, isNamed: true, why: whyOf(chosen) },
      others: others.map((each) => describeCandidate(check, each, first, below)),
    }
  }
  if (first.length > 1) throw columnFault(check, 'say which column to check', { first, below, found })
  const isNamed = isHeading(check, first[0] ?? '')
  if (mostlyValues(check, isNamed ? below : [first, ...below], 0, 3)) return { index: 0, isNamed }
  throw columnFault(check, 'few cells look like values of this type; if they are, say the column', {
    ...{ first, below, found },
  })
}

const whyOf = ({ side, likely, filled }: Candidate): string =>
  `${side === 'partner' ? 'the heading of the other side' : 'by its heading'}, ${likely} of the first ${filled} cells fit`

function findWanted(check: ListCheck, first: Cells, wanted: string): ValueColumn {
  const named = namedColumn(first, wanted)
  if (named !== undefined) return { index: named, isNamed: true, isWanted: true }
  const [, country, number] = /^(.+?)\+(.+)$/s.exec(wanted) ?? []
  if (country !== undefined && number !== undefined && mayHaveCountryApart(check)) {
    const { index: countryAt } = findWanted(check, first, country)
    return { ...findWanted(check, first, number), countryAt }
  }
  const at = isNumber(wanted) ? Number(wanted) : 0
  if (at === 0 || at > first.length)
    throw columnFault(check, 'no column is that of the name or number given', { first })
  return { index: at - 1, isNamed: isHeading(check, first[at - 1] ?? ''), isWanted: true }
}

export const isNumber = (wanted: string): boolean => /^[1-9][0-9]{0,3}$/.test(wanted)

/** The column of that name; one in the same case comes first. */
export const namedColumn = (first: Cells, wanted: string): number | undefined =>
  [
    first.indexOf(wanted),
    first.findIndex((cell) => cell.trim().toLowerCase() === wanted.trim().toLowerCase()),
  ].find((index) => index >= 0)

const MOST_NAMES = 40

interface Seen {
  readonly first: Cells
  readonly below?: readonly Cells[]
  readonly found?: readonly Candidate[]
}

export function columnFault(
  check: ListCheck,
  words: string,
  { first, below = [], found = [] }: Seen,
): ListFault {
  const choice = { option: 'column', of: first } as const
  if (found.length === 0) return new ListFault(`${words} ${given(first)}`, choice)
  const described = found.slice(0, MOST_NAMES).map((each) => describeCandidate(check, each, first, below))
  return new ListFault(`${words} with --column: ${described.join('; ')}`, choice)
}

/** A column by number, heading and cells, of which it shows the form of one and never a value. */
export function describeCandidate(
  check: ListCheck,
  { index, filled, likely }: Candidate,
  first: Cells,
  below: readonly Cells[],
): string {
  const cell = below
    .map((row) => row[index]?.trim() ?? '')
    .find((each) => each !== '' && isLikely(check, each))
  const form = cell === undefined ? '' : `, such as ${formOf(cell)}`
  return `${index + 1} "${first[index]?.trim().slice(0, 40)}" (${likely} of ${filled} cells fit${form})`
}

const LONGEST_FORM = 24

/** Letters as A, digits as 9, blanks and other signs as they are. */
function formOf(cell: string): string {
  const form = cell.replace(/\p{L}\p{M}*/gu, 'A').replace(/\p{N}/gu, '9')
  return form.length > LONGEST_FORM ? `${form.slice(0, LONGEST_FORM)}\u2026` : form
}

/** The headings to choose from, without cells that may be values: a message never repeats a value. */
function given(first: Cells): string {
  const names = first
    .map((cell) => cell.trim())
    .filter((cell) => /\p{L}/u.test(cell) && !isLabelled(cell) && !cell.includes('@'))
  if (names.length === 0) return `with --column: the file has ${first.length} columns and no headings`
  const shown = names.slice(0, MOST_NAMES).map((name) => name.slice(0, 40))
  return `with --column: the file has ${shown.join(', ')}${names.length > MOST_NAMES ? ', …' : ''}`
}
