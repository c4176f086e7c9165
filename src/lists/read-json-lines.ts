import { repeatedMembers } from '../values/strict-json.ts'
import { type Budget, MOST_COLUMNS } from './budget.ts'
import { candidatesOf, chosenOf } from './candidate-columns.ts'
import { columnFault } from './columns.ts'
import type { DecodedText } from './decode-text.ts'
import {
  type InputCell,
  type InputRow,
  type ListInput,
  listOf,
  type ReadListOptions,
  type WantedColumn,
} from './input-row.ts'
import { ListFault } from './list-fault.ts'
import { linesOf, splitLines } from './split-lines.ts'
import { cellWith, rowWith } from './table-rows.ts'
import type { ListCheck } from './value-looks.ts'
import { numberCell } from './workbook/number-cell.ts'

export async function readJsonLines(
  text: DecodedText,
  { check, column, others = [], withLate = false }: ReadListOptions,
  budget: Budget,
): Promise<ListInput> {
  const objects = linesOf(text.sample)
    .map((line) => parsed(line, budget))
    .filter(isObject)
  // An object may lack a member that the next one has.
  const names = new Set(objects.flatMap(Object.keys))
  const late = new Set<string>()
  const header = names.size === 0 ? ['value'] : [...names]
  const own = new Set(header)
  const cells = objects.map((object) => header.map((name) => cellOf(object[name])))
  const candidates = candidatesOf(check, header, cells)
  const matching = chosenOf(check, candidates)
  const found =
    header.length === 1 ? 0 : (matching?.index ?? (candidates.length > 0 ? -1 : header.indexOf('value')))
  const key = column ?? header[found] ?? ''
  const find = ({ check, column: name = '' }: WantedColumn) => {
    return { check, name, type: check.id, index: Math.max(header.indexOf(name), 0) }
  }
  const columns = [find({ check, column: key }), ...others.map(find)] as const
  if ((names.size > 0 || others.length > 0) && !columns.every(({ name }) => names.has(name))) {
    throw columnFault(check, 'say which member of the objects to check', {
      ...{ first: header, below: cells, found: candidates },
    })
  }
  async function* rows(): AsyncGenerator<InputRow> {
    let line = 0
    for await (const written of splitLines(text.chunks)) {
      line += 1
      const row = parsed(written, budget)
      if (!isObject(row)) {
        const cells = budget.row([typeof row === 'string' ? row : written])
        yield { line, cells, ...jsonCell(check, row) }
        continue
      }
      for (const name of Object.keys(row))
        if (!own.has(name) && !late.has(name) && late.size < MOST_COLUMNS) late.add(budget.keep(name))
      // Programs differ in which of two they read, so a member that stands twice has no value.
      const twice = columns.some(({ name }) => mayBeTwice(written, name)) ? repeatedMembers(written) : null
      const checked = columns.map((each) =>
        jsonCell(each.check, twice?.has(each.name) ? undefined : (row[each.name] ?? null)),
      )
      const exact = LONG_NUMBER.test(written) ? (budget.json(written, keepDigits) as typeof row) : row
      // The cell of a value shows what was checked.
      const isSold = (at: number) =>
        columns.some(({ index }, of) => index === at && checked[of]?.leftOut !== 'digits_lost')
      const textOf = (name: string, at: number) => cellOf((exact === row || isSold(at) ? row : exact)[name])
      const cells = [...header, ...(withLate ? late : [])].map(textOf)
      yield rowWith({ line, cells: budget.row(cells), text: written }, checked)
    }
  }
  return { ...listOf('jsonl', text, check), header, columns, late, rows: rows() }
}

/** Whether a line needs to be looked through for a member that stands twice; a name may be written with escapes. */
function mayBeTwice(line: string, name: string): boolean {
  const member = JSON.stringify(name)
  return line.includes('\\') || line.indexOf(member) !== line.lastIndexOf(member)
}

/** A number that may lose digits or become infinite when it is parsed. */
const LONG_NUMBER = /[:,[]\s*-?(?:[\d.]{16}|[\d.]+e\+?\d{3})/i

/** `JSON.stringify` writes such a number as it was read; an older browser rounds it. */
const keepDigits = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && LONG_NUMBER.test(`:${context?.source}`)
    ? (RAW_JSON.rawJSON?.(context?.source ?? '') ?? value)
    : value

/** ECMAScript 2026, which the types lack. */
const RAW_JSON: typeof JSON & { readonly rawJSON?: (text: string) => unknown } = JSON

/** A number is taken as in a workbook: its digits, unless it may have lost some. */
function jsonCell(check: ListCheck, json: unknown): InputCell {
  if (typeof json !== 'number') return cellWith(check, json)
  const { text, isLost } = numberCell(String(json))
  return isLost ? { type: check.id, leftOut: 'digits_lost', value: null } : cellWith(check, text)
}

export const isObject = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

/** Undefined if the line is not JSON; null for an empty line, which has no value. */
function parsed(line: string, budget: Budget): unknown {
  if (line.trim() === '') return null
  try {
    return budget.json(line)
  } catch (error) {
    if (error instanceof ListFault) throw error
    return undefined
  }
}

const cellOf = (member: unknown): string =>
  typeof member === 'string' ? member : member === undefined || member === null ? '' : JSON.stringify(member)
