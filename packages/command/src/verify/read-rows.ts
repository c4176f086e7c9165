import { hash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PROFILES } from '../../../../src/checks/checks.ts'
import { isText } from '../../../../src/checks/profile.ts'
import type { CheckType } from '../../../../src/checks/verdict.ts'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import { mayBeValue } from '../../../../src/lists/columns.ts'
import { cellsOf } from '../../../../src/lists/input-row.ts'
import { LEFT_OUT, readCell } from '../../../../src/lists/read-cell.ts'
import { resultCell } from '../../../../src/lists/results.ts'
import { asShown } from '../../../../src/lists/table-rows.ts'
import { ReceiptFault } from '../../../../src/receipts/verify-receipt.ts'
import { type ListFileOptions, type OpenList, openList, timedBudget } from '../list/open-list-file.ts'
import type { ReadResults, ReadStatement } from './read-statement.ts'

/** A cell of a checked column, with the result that stands beside it. */
export interface ListCell {
  readonly type: CheckType
  /** Null if nothing in it could be sold. */
  readonly value: string | null
  /** As a spreadsheet numbers it. */
  readonly line: number
  /** Of the result beside it; null in a list without results. */
  readonly print: Print | null
  /** Whether the list says, by the result or by itself, that nothing was sold for the cell; `reworded` if in other words. */
  readonly leftOut: 'as_written' | 'reworded' | null
}

export interface CheckedList {
  /** The checked columns and, where they are compared, the columns of their results, by their headings. */
  readonly columns: readonly ComparedColumn[]
  /** Lines above the headings. */
  readonly above: number
  readonly sheet: string | null
  /** Row by row, as a statement counts them. */
  readonly cells: readonly ListCell[]
  /** Of the whole file, in hex. */
  readonly sha256: string | null
}

export interface ComparedColumn {
  readonly type: CheckType
  readonly column: string
  readonly results: readonly string[]
}

/** Hashes of the columns of a result. */
export interface Print {
  /** Of those that the service signs. */
  readonly signed: string
  /** Of those that this program makes of them, and of the value; null where one is missing. */
  readonly own: string | null
}

/** The columns of a result that the service signs. */
const SIGNED: readonly string[] = ['valid', 'code', 'reason', 'normalized', 'place']

/** Hashes the columns `names` of a result; a missing one is undefined. */
export function printOf(names: readonly string[], cellOf: (name: string) => string | undefined): Print {
  const hashed = (columns: readonly string[]) =>
    hash('sha256', JSON.stringify(columns.map((name) => comparable(name, cellOf(name) ?? ''))), 'base64')
  const own = names.filter((name) => !SIGNED.includes(name))
  return {
    signed: hashed(SIGNED),
    own: own.every((name) => cellOf(name) !== undefined) ? hashed(own) : null,
  }
}

/** Masks are bullets or asterisks, and question marks in an old encoding that lacks bullets. */
const MASK = /[\u2022*?]/g
/** Old encodings write a question mark for a character that they lack. */
const FOREIGN = /[^\0-\x7f]/gu
/** Spreadsheets save truth in the language of their user. */
const TRUTH = { true: /^(?:true|wahr|prawda)$/i, false: /^(?:false|falsch|fałsz)$/i }

function comparable(name: string, text: string): string {
  const cell = text.trim()
  if (name === 'normalized') return cell.replace(MASK, '*')
  if (name !== 'valid') return cell.replace(FOREIGN, '?')
  return Object.entries(TRUTH).find(([, words]) => words.test(cell))?.[0] ?? cell
}

/** The rows of the list with the results beside them; null without the list. Throws {@link ReceiptFault}. */
export async function readRows(
  { columns, list }: Pick<ReadStatement, 'columns' | 'list'>,
  options: { readonly path: string; readonly list: string | null },
): Promise<CheckedList | null> {
  const path = options.list ?? join(dirname(options.path), list.file)
  // Beside the statement a link could lead anywhere, and a pipe never ends.
  if (options.list === null && lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null
  const read = async (how: Pick<ListFileOptions, 'encoding' | 'isOld'>) =>
    readCells(
      await openList(path, { columns, ...how, sheet: list.sheet ?? undefined, budget: timedBudget() }),
      list.results,
    )
  // A spreadsheet may have saved the list in another encoding.
  return await read({ encoding: list.encoding ?? undefined })
    .catch((error: unknown) => read({}).catch(() => read({ isOld: true }).catch(() => Promise.reject(error))))
    .catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error
      throw new ReceiptFault(`The list cannot be compared: ${error.message}.`)
    })
}

async function readCells(input: OpenList, results: ReadResults | null): Promise<CheckedList> {
  const { header, columns, sheet, headerLine } = input
  const cells: ListCell[] = []
  const places = columns.map((_, at) => (results === null ? undefined : placesOf(input, results, at)))
  for await (const row of input.rows) {
    const textAt = (name: string, index: number) =>
      asShown(
        resultCell(name, row.json === undefined ? row.cells[index] : row.json[header[index] ?? '']).trim(),
      )
    for (const [at, { type, value: given, leftOut }] of cellsOf(row).entries()) {
      // A cell that looks like a total here may have been a value in the list that was bought.
      const cell = readCell(given ?? asShown(row.cells[columns[at]?.index ?? 0] ?? ''))
      const value = cell.ok ? cell.value : null
      const told = new Map([...(places[at] ?? [])].map(([name, index]) => [name, textAt(name, index)]))
      cells.push({
        ...{ type, value, line: row.line },
        print: told.size === 0 ? null : printOf(results?.names ?? [], (name) => told.get(name)),
        leftOut:
          told.size > 0
            ? leftOutIn(told, type, value)
            : leftOut !== undefined || value === null
              ? 'as_written'
              : null,
      })
    }
  }
  const nameOf = (index: number) => header[index] ?? `column ${index + 1}`
  return {
    ...{ cells, sheet, above: headerLine - 1, sha256: input.sha256() },
    columns: columns.map(({ type, index }, at) => ({
      ...{ type, column: nameOf(index) },
      results: [...(places[at]?.values() ?? [])].map(nameOf),
    })),
  }
}

/** The places of the columns of a result that are there once; undefined if a signed one is not. */
function placesOf(
  { header, isNamed }: OpenList,
  { names, headings, behind }: ReadResults,
  at: number,
): ReadonlyMap<string, number> | undefined {
  const places = new Map<string, number>()
  for (const [of, name] of names.entries()) {
    const nth = at * names.length + of
    const heading = headings?.[nth]
    if (heading === undefined && !isNamed) places.set(name, behind + nth)
    else if (heading !== undefined && header.filter((each) => each === heading).length === 1)
      places.set(name, header.indexOf(heading))
  }
  return SIGNED.every((name) => places.has(name)) ? places : undefined
}

/** Whether a result says that nothing was sold, and neither the value nor another column contradicts it. */
function leftOutIn(
  told: ReadonlyMap<string, string>,
  type: CheckType,
  value: string | null,
): ListCell['leftOut'] {
  const { code = '', reason = '', ...others } = Object.fromEntries(told)
  if (!Object.hasOwn(LEFT_OUT, code) || Object.values(others).some((cell) => cell !== '')) return null
  if (code === 'empty' && value !== null) return null
  const mayBe = (cell: string) => mayBeValue({ isText: isText(PROFILES[type]) }, cell)
  if (code === 'not_a_value' && (value === null || mayBe(value))) return null
  return reason === LEFT_OUT[code] ? 'as_written' : 'reworded'
}
