import { mayBeAddress, mayBeNumber } from 'format-checker-checks/internal/text/may-be-value'
import type { CheckType } from 'format-checker-checks/verdict'
import type { HeadingWords } from './match-heading.ts'

type Cells = readonly string[]

/** A type to look for, and its headings as {@link joinedWords} spells them, its own name first. */
export interface ListCheck {
  readonly id: CheckType
  readonly headings: readonly string[]
  readonly words: HeadingWords
  /** Values are text, such as addresses, and no numbers. */
  readonly isText: boolean
  /** Letters and digits of the shortest cells taken for values, cut-off ones too: the number of a ledger account is no IBAN. */
  readonly shortest: number
}

/** An amount, a rate or a date: no identifier looks like one. */
const OTHER =
  /^[-+]?[\d .,'\u00a0\u202f]*[.,]\d{1,2}\s?(?:%|\p{Sc}|[A-Z]{3})?$|^\d{1,3}\s?%$|^\d{1,4}([-./])\d{1,2}\1\d{2,4}$/u
export const isOther = (cell: string): boolean => OTHER.test(cell)

/** Whether at least half of the filled cells look like values; otherwise a wrong column would be bought. */
export function mostlyValues(
  check: ListCheck,
  rows: readonly Cells[],
  at: number,
  shortest = check.shortest,
): boolean {
  const filled = rows.map((cells) => cells[at]?.trim() ?? '').filter((cell) => cell !== '')
  const fitting = filled.filter((cell) => isLikely(check, cell, shortest))
  return fitting.length > 0 && fitting.length * 2 >= filled.length
}

export function isLikely(check: ListCheck, cell: string, shortest = check.shortest): boolean {
  if (check.isText) return LIKE_AN_ADDRESS.test(cell)
  const { length } = cell.replace(/[^\p{L}\p{N}]/gu, '')
  return (
    LIKE_A_NUMBER.test(cell) &&
    mayBeValue(check, cell) &&
    !isOther(cell) &&
    length >= shortest &&
    length <= 45
  )
}

/** Letters and digits, perhaps behind a label, with the signs that people and programs put between and around them. */
const LIKE_A_NUMBER =
  /^[\p{P}\p{S}]?["'(=#*+]*[\p{L}\p{N}][\p{L}\p{M}\p{N}\p{Pd}\p{Zs}\p{Cf}.:/'"*#()[\]{}<>]*$/u
const LIKE_AN_ADDRESS = /@|^\S+\.\p{L}{2,}$/u

export const isLabelled = (cell: string): boolean => cell.replace(/[^0-9]/g, '').length > 6

/** True for letters that cannot be a value. */
export const isHeading = (check: ListCheck, cell: string): boolean =>
  /\p{L}/u.test(cell) && !mayBeValue(check, cell)

export const mayBeValue = ({ isText }: Pick<ListCheck, 'isText'>, cell: string): boolean =>
  (isText ? mayBeAddress : mayBeNumber)(cell)
