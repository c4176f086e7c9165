import { HINTS, WARNINGS } from '../checks/advice/hints.ts'
import type { Details, Verdict } from '../checks/verdict.ts'
import type { CheckedColumn, ListInput } from './input-row.ts'
import { LEFT_OUT } from './read-cell.ts'

export type RowResult =
  | {
      readonly kind: 'checked'
      readonly valid: boolean
      readonly code: string
      readonly reason: string
      /** Masked; null if invalid. */
      readonly normalized: string | null
      /** A code; a service of another version may send one that is unknown here. */
      readonly hint?: string
      /** Places of suspicious characters, in code points from 0. */
      readonly places?: readonly number[]
      /** Where the value stands in the cell, in code points from 0; the end is exclusive. */
      readonly span?: { readonly start: number; readonly end: number }
      /** Lengths that would be right. */
      readonly lengths?: readonly number[]
      readonly warnings?: readonly string[]
    }
  /** Not sent, not charged; `code` says why. */
  | { readonly kind: 'skipped'; readonly code: string }

export type Checked = Extract<RowResult, { kind: 'checked' }>

export function checkedOf({ valid, reason, normalized, details }: Verdict): Checked {
  const {
    code,
    hint,
    position,
    suspects = [],
    warnings = [],
    length,
    span,
  } = details as Partial<Details> & Pick<Details, 'code'>
  const places = suspects.length > 0 ? suspects : position === undefined ? [] : [position]
  return {
    kind: 'checked',
    ...{ valid, code, reason, normalized },
    ...(hint === undefined ? {} : { hint }),
    ...(places.length === 0 ? {} : { places }),
    ...(typeof span?.start === 'number' && typeof span.end === 'number' ? { span } : {}),
    ...(length === undefined ? {} : { lengths: [length.expected].flat() }),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

/** Names the columns below in statements; a change of what they mean needs another one. */
export const RESULT_FORMAT = 'format-checker-results/2'

export const RESULT_NAMES = [
  'valid',
  'code',
  'reason',
  'normalized',
  'cleaned',
  'hint',
  'place',
  'suggested',
  'warnings',
] as const

/** The columns of every format that statements name. */
export const RESULT_FORMATS: Readonly<Record<string, readonly string[]>> = {
  'format-checker-results/1': RESULT_NAMES.filter((name) => name !== 'cleaned'),
  [RESULT_FORMAT]: RESULT_NAMES,
}

/** Columns that are computed on the buyer's machine, because results do not hold the value. */
export interface OwnWords {
  /** The value without separators, as a database should store it; null unless it is valid. */
  readonly cleaned: string | null
  /** The corrected value, if the hint leads to exactly one; otherwise null. */
  readonly suggested: string | null
}
export const NO_WORDS: OwnWords = { cleaned: null, suggested: null }

/**
 * Names of the columns that are added for each checked column, with its type in front if several are checked. A name that
 * the input has already gets a number, e.g. `code_2`.
 */
export function resultColumns(
  header: readonly string[],
  columns: readonly Pick<CheckedColumn, 'type'>[] = [],
): readonly string[] {
  const free = freeNames(header)
  return prefixesOf(columns).flatMap((prefix) => RESULT_NAMES.map((name) => free(prefix + name)))
}

/**
 * The columns of a list as members of a JSON object, which has each name once: a heading that repeats gets a number, and a
 * column without one its place.
 */
export function memberNames({ format, header }: Pick<ListInput, 'format' | 'header'>): readonly string[] {
  if (format === 'jsonl') return header
  const free = freeNames(header)
  const used = new Set([''])
  return header.map((heading, at) => {
    if (used.has(heading)) return free(heading === '' ? `column_${at + 1}` : heading)
    used.add(heading)
    return heading
  })
}

/** Returns a function that puts a number behind a name that is taken. */
function freeNames(names: readonly string[]): (name: string) => string {
  const taken = new Set(names)
  // Kept from one call to the next: a hostile list has one heading 16,384 times.
  const numbers = new Map<string, number>()
  return (name) => {
    let number = numbers.get(name) ?? 1
    let found = name
    while (taken.has(found)) {
      number += 1
      found = `${name}_${number}`
    }
    numbers.set(name, number)
    taken.add(found)
    return found
  }
}

export const prefixesOf = (columns: readonly Pick<CheckedColumn, 'type'>[]): readonly string[] =>
  columns.length > 1 ? columns.map(({ type }) => `${type}_`) : ['']

/** Whether a text may be the heading of the column `name` of a checked column's results. */
export function isResultHeading(
  text: string,
  name: string,
  columns: readonly Pick<CheckedColumn, 'type'>[],
  at: number,
): boolean {
  const heading = `${prefixesOf(columns)[at]}${name}`
  return text === heading || (text.startsWith(`${heading}_`) && /^\d+$/.test(text.slice(heading.length + 1)))
}

const wordsOf = (table: Readonly<Record<string, { readonly explanation: string }>>, code: string): string =>
  Object.hasOwn(table, code) ? (table[code]?.explanation ?? code) : code

/** A result in words; places count from 1, as in the reason. */
export function describeResult(result: RowResult, { cleaned, suggested }: OwnWords) {
  if (result.kind === 'skipped')
    return {
      valid: null,
      code: result.code,
      reason: Object.hasOwn(LEFT_OUT, result.code) ? LEFT_OUT[result.code] : '',
    }
  const { valid, code, reason, normalized, hint, places = [], warnings = [] } = result
  return {
    ...{ valid, code, reason },
    // In ASCII, so that every encoding and every program has its characters.
    normalized: normalized?.replaceAll('\u2022', '*') ?? null,
    cleaned,
    hint: hint === undefined ? null : wordsOf(HINTS, hint),
    place: places.map((place) => place + 1),
    suggested,
    warnings: warnings.map((warning) => wordsOf(WARNINGS, warning)),
  }
}

export function resultCells(result: RowResult, own: OwnWords): readonly string[] {
  const told: Readonly<Record<string, unknown>> = describeResult(result, own)
  return RESULT_NAMES.map((name) => resultCell(name, told[name]))
}

/** A member of a described result as the text of a cell. */
export const resultCell = (name: string, member: unknown): string =>
  Array.isArray(member) ? member.join(name === 'place' ? ', ' : ' ') : String(member ?? '')
