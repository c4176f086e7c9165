import { CHECKS } from 'format-checker-checks'
import { joinedWords } from 'format-checker-checks/internal/text/heading-words'
import { createHeadingReader, type HeadingMatch } from './match-heading.ts'
import { isLabelled, isLikely, isOther, type ListCheck } from './value-looks.ts'

type Cells = readonly string[]

export interface Candidate extends HeadingMatch {
  readonly index: number
  readonly filled: number
  /** Cells that look like values, and those that are valid ones. */
  readonly likely: number
  readonly valid: number
  readonly different: number
}

const readers = new WeakMap<ListCheck, ReturnType<typeof createHeadingReader>>()

function readerOf(check: ListCheck) {
  const reader = readers.get(check) ?? createHeadingReader(check.id, check.headings, check.words)
  readers.set(check, reader)
  return reader
}

/**
 * Columns with a heading of the type whose cells do not contradict it. A generic name ("VAT", "Account") needs cells
 * that look like values, beside unknown words valid ones; the type's own name needs none.
 */
export function candidatesOf(
  check: ListCheck,
  first: Cells,
  below: readonly Cells[],
  isTop = true,
): readonly Candidate[] {
  const read = readerOf(check)
  return first.flatMap((heading, index) => {
    const match = isLabelled(heading) ? null : read(heading)
    if (match === null) return []
    const cells = below.map((row) => row[index]?.trim() ?? '').filter((cell) => cell !== '')
    const likely = cells.filter((cell) => isLikely(check, cell)).length
    const valid = cells.filter((cell) => CHECKS[check.id](cell).valid).length
    const found = { ...match, index, filled: cells.length, likely, valid, different: new Set(cells).size }
    const { strength } = match
    const isMostly = likely > 0 && likely * 2 >= cells.length
    const isSure = isTop && strength === 'name' && !cells.some(isOther)
    return (strength === 'unsure' ? valid > 0 && valid * 2 >= cells.length : isMostly || isSure)
      ? [found]
      : []
  })
}

/** The column that a bookkeeper would check; null where only a person can say which. */
export function chosenOf(check: ListCheck, found: readonly Candidate[]): Candidate | null {
  const names = new Set(found.map(({ name }) => name))
  const passed = new Set(
    Object.entries(check.words.before)
      .filter(([name]) => names.has(joinedWords(name)))
      .flatMap(([, others]) => others.map(joinedWords)),
  )
  const open = found.filter(({ name }) => !passed.has(name))
  const filled = open.filter(({ likely }) => likely > 0)
  const able = filled.length > 0 ? filled : open
  const others = able.filter(({ side }) => side !== 'own')
  const partners = others.filter(({ side }) => side === 'partner')
  const side = partners.length > 0 ? partners : others.length > 0 ? others : able
  const proven = side.filter(({ valid, filled }) => valid > 0 && valid * 2 >= filled)
  const isClear = proven.length === 1 && side.every((each) => proven.includes(each) || each.valid === 0)
  const [best, ...equals] = isClear ? proven : side
  if (best === undefined || equals.length > 0) return null
  // One value in every row of the own side is the account or number of the file's owner.
  return best.side === 'own' && best.different === 1 && best.filled > 1 ? null : best
}
