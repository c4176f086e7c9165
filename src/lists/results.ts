import { HINTS, WARNINGS } from 'format-checker-checks/hints'
import type { Details, Verdict } from 'format-checker-checks/verdict'
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
      readonly lengths?: readonly number[]
      readonly warnings?: readonly string[]
      readonly bank?: string
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
    bank,
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
    ...bankOf(bank),
  }
}

/** A service of another version may send anything else as the bank. */
function bankOf(bank: unknown): { readonly bank?: string } {
  const { name, bic }: Readonly<Record<string, unknown>> = Object(bank)
  if (typeof name !== 'string') return {}
  return { bank: typeof bic === 'string' ? `${name}, ${bic}` : name }
}

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
  'bank',
] as const

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

/** JSON has each name once: a heading that repeats gets a number, and a column without one its place. */
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

/** Returns a function that puts a number behind a name that is taken, in any case: a table of Excel has "Valid" or "valid". */
function freeNames(names: readonly string[]): (name: string) => string {
  const taken = new Set(names.map((name) => name.toLowerCase()))
  // Kept from one call to the next: a hostile list has one heading 16,384 times.
  const numbers = new Map<string, number>()
  return (name) => {
    let number = numbers.get(name) ?? 1
    let found = name
    while (taken.has(found.toLowerCase())) {
      number += 1
      found = `${name}_${number}`
    }
    numbers.set(name, number)
    taken.add(found.toLowerCase())
    return found
  }
}

const prefixesOf = (columns: readonly Pick<CheckedColumn, 'type'>[]): readonly string[] =>
  columns.length > 1 ? columns.map(({ type }) => `${type}_`) : ['']

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
  const { valid, code, reason, normalized, hint, places = [], warnings = [], bank = null } = result
  return {
    ...{ valid, code, reason },
    // In ASCII, so that every encoding and every program has its characters.
    normalized: normalized?.replaceAll('\u2022', '*') ?? null,
    cleaned,
    hint: hint === undefined ? null : wordsOf(HINTS, hint),
    place: places.map((place) => place + 1),
    suggested,
    warnings: warnings.map((warning) => wordsOf(WARNINGS, warning)),
    bank,
  }
}

export function resultCells(result: RowResult, own: OwnWords): readonly string[] {
  const told: Readonly<Record<string, unknown>> = describeResult(result, own)
  return RESULT_NAMES.map((name) => resultCell(name, told[name]))
}

export const resultCell = (name: string, member: unknown): string =>
  Array.isArray(member) ? member.join(name === 'place' ? ', ' : ' ') : String(member ?? '')
