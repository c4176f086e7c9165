import type { CheckType } from '../../checks/verdict.ts'
import { headingsOf, lettersOf } from '../../skills/column-headings.ts'
import type { Skill } from '../../skills/skill.ts'
import { UsageError } from '../command-line/usage-error.ts'

export interface ValueColumn {
  readonly index: number
  /** True if the first record names the columns. */
  readonly isNamed: boolean
}

/** Finds the column of the values: as named, as numbered from 1, or by its heading. */
export function findValueColumn(skill: Skill, first: readonly string[], wanted?: string): ValueColumn {
  if (wanted !== undefined) return findWanted(skill.id, first, wanted)
  if (first.length === 1) return { index: 0, isNamed: isHeading(skill.id, first[0] ?? '') }
  const known = [...headingsOf(skill), 'value']
  const matches = first.flatMap((cell, index) =>
    known.includes(lettersOf(cell)) && !isLabelled(cell) ? [index] : [],
  )
  // The type's own name comes first: "Account" beside "IBAN" may be a company.
  const exact = matches.filter((index) => lettersOf(first[index] ?? '') === known[0])
  const [index, ...others] = exact.length > 0 ? exact : matches
  if (index === undefined || others.length > 0) {
    throw new UsageError(`the list has ${first.length} columns; say with --column which one to check`)
  }
  return { index, isNamed: true }
}

function findWanted(type: CheckType, first: readonly string[], wanted: string): ValueColumn {
  const named = [
    first.indexOf(wanted),
    first.findIndex((cell) => cell.trim().toLowerCase() === wanted.trim().toLowerCase()),
  ].find((index) => index >= 0)
  if (named !== undefined) return { index: named, isNamed: true }
  const number = /^[1-9][0-9]{0,3}$/.test(wanted) ? Number(wanted) : 0
  if (number === 0)
    throw new UsageError('--column names a column that the first line of the list does not have')
  if (number > first.length)
    throw new UsageError(`--column is ${number}, and the list has ${first.length} columns`)
  return { index: number - 1, isNamed: isHeading(type, first[number - 1] ?? '') }
}

/** A value behind its label, such as "NIP 526-025-02-74", is no heading. */
const isLabelled = (cell: string): boolean => cell.replace(/[^0-9]/g, '').length > 6

/**
 * Every identifier has a digit, and every email address an "@" or at least a full stop inside. A heading has neither,
 * but may contain abbreviations: "Adr. e-mail".
 */
export const isHeading = (type: CheckType, cell: string): boolean =>
  /\p{L}/u.test(cell) && !(type === 'email' ? /@|[\p{L}\p{N}]\.[\p{L}\p{N}]/u : /[0-9]/).test(cell)
