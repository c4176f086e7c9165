import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listCheckOf } from '../../../../src/catalog/column-headings.ts'
import type { CheckType } from '../../../../src/checks/verdict.ts'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import { mayBeValue } from '../../../../src/lists/columns.ts'
import { cellsOf } from '../../../../src/lists/input-row.ts'
import { LEFT_OUT, readCell } from '../../../../src/lists/read-cell.ts'
import { prefixesOf, RESULT_FORMATS } from '../../../../src/lists/results.ts'
import { asShown } from '../../../../src/lists/table-rows.ts'
import { ReceiptFault } from '../../../../src/receipts/verify-receipt.ts'
import { type ListFileOptions, type OpenList, openList } from '../list/open-list-file.ts'
import { skillOf } from '../skills.ts'
import type { ReadStatement } from './read-statement.ts'

/** A cell of a checked column, with the result that stands beside it. */
export interface ListCell {
  readonly type: CheckType
  /** Null if nothing in it could be sold. */
  readonly value: string | null
  /** As a spreadsheet numbers it. */
  readonly line: number
  /** A hash of the result beside it; null in a list without results. */
  readonly print: string | null
  /** Whether the list says, by the result or by itself, that nothing was sold for the cell. */
  readonly isLeftOut: boolean
}

export interface CheckedList {
  /** Headings of the columns that are compared. */
  readonly compared: readonly string[]
  /** Row by row, as a statement counts them. */
  readonly cells: readonly ListCell[]
  /** Of the whole file, in hex. */
  readonly sha256: string | null
}

/** The columns of a result that are compared. The words of hints and warnings depend on the program that wrote them. */
export const COMPARED = ['valid', 'code', 'reason', 'normalized', 'place'] as const
type Compared = (typeof COMPARED)[number]

/** A hash of the cells of a result. */
export function printOf(cellOf: (name: Compared) => string): string {
  const cells = COMPARED.map((name) => comparable(name, cellOf(name).trim()))
  return createHash('sha256').update(JSON.stringify(cells)).digest('base64')
}

/** Masks are bullets or asterisks, and question marks in an old encoding that lacks bullets. */
const MASK = /[\u2022*?]/g
/** Old encodings write a question mark for a character that they lack. */
const FOREIGN = /[^\0-\x7f]/gu
/** Spreadsheets save truth in the language of their user. */
const TRUTH = { true: /^(?:true|wahr|prawda)$/i, false: /^(?:false|falsch|fałsz)$/i }

function comparable(name: Compared, cell: string): string {
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
    readCells(await openList(path, { columns, ...how, sheet: list.sheet ?? undefined }), list.results)
  // A spreadsheet may have saved the list in another encoding.
  return await read({ encoding: list.encoding ?? undefined })
    .catch((error: unknown) => read({}).catch(() => read({ isOld: true }).catch(() => Promise.reject(error))))
    .catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error
      throw new ReceiptFault(`The list cannot be compared: ${error.message}.`)
    })
}

async function readCells(input: OpenList, results: ReadStatement['list']['results']): Promise<CheckedList> {
  const { header, columns } = input
  const cells: ListCell[] = []
  const places = columns.map((_, at) => placesOf(input, results, at))
  for await (const row of input.rows) {
    const textAt = (index: number) =>
      asShown(String((row.json === undefined ? row.cells[index] : row.json[header[index] ?? '']) ?? ''))
    for (const [at, { type, value: given, leftOut }] of cellsOf(row).entries()) {
      // A cell that looks like a total here may have been a value in the list that was bought.
      const cell = readCell(given ?? asShown(row.cells[columns[at]?.index ?? 0] ?? ''))
      const value = cell.ok ? cell.value : null
      const told = places[at]?.map(textAt)
      cells.push({
        ...{ type, value, line: row.line },
        print: told === undefined ? null : printOf((name) => told[COMPARED.indexOf(name)] ?? ''),
        isLeftOut:
          told === undefined ? leftOut !== undefined || value === null : saysLeftOut(told, type, value),
      })
    }
  }
  const compared = places.flatMap((found = []) =>
    found.map((place) => header[place] ?? `column ${place + 1}`),
  )
  return { compared, cells, sha256: input.sha256() }
}

/** The places of the compared columns of a result; undefined if one of them is missing, or there twice. */
function placesOf(
  { header, isNamed, columns }: OpenList,
  results: ReadStatement['list']['results'],
  at: number,
): readonly number[] | undefined {
  if (results === null) return undefined
  const names = results === 'former' ? FORMER_NAMES : results.names
  const width = names.length
  const places = COMPARED.map((name) => {
    const nth = at * width + names.indexOf(name)
    if (results === 'former')
      return isNamed ? formerPlace(header, columns, at, name) : header.length - columns.length * width + nth
    const heading = results.headings?.[nth]
    if (heading === undefined) return isNamed ? -1 : results.behind + nth
    return header.indexOf(heading) === header.lastIndexOf(heading) ? header.indexOf(heading) : -1
  })
  return places.every((place) => place >= 0) ? places : undefined
}

const FORMER_NAMES = RESULT_FORMATS['format-checker-results/1'] as readonly string[]

/** A former statement names no headings: the results are behind the columns of the list, and may end with a number. */
function formerPlace(
  header: readonly string[],
  columns: OpenList['columns'],
  at: number,
  name: string,
): number {
  const behind = columns.slice(at).filter(({ type }) => type === columns[at]?.type).length
  const like = new RegExp(`^${prefixesOf(columns)[at]}${name}(_\\d+)?$`)
  return header.flatMap((heading, index) => (like.test(heading) ? [index] : [])).at(-behind) ?? -1
}

/** Whether a result says that nothing was sold, and the value does not contradict it. */
function saysLeftOut([valid, code = '']: readonly string[], type: CheckType, value: string | null): boolean {
  if (valid !== '' || !Object.hasOwn(LEFT_OUT, code)) return false
  if (code === 'empty') return value === null
  return code !== 'not_a_value' || (value !== null && !mayBeValue(listCheckOf(skillOf(type)), value))
}
