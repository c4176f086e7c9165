import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import type { SettleResponse } from '@x402/core/types'
import type { CheckType } from '../../../../src/checks/verdict.ts'
import { keptEncoding } from '../../../../src/lists/encode-text.ts'
import { cellsOf, type InputRow } from '../../../../src/lists/input-row.ts'
import { readRow } from '../../../../src/lists/read-cell.ts'
import { memberNames, RESULT_FORMAT, resultColumns } from '../../../../src/lists/results.ts'
import type { ListOptions } from '../buy/buy-options.ts'
import { fetchDidDocument } from '../verify/did-document.ts'
import type { Authorization } from '../verify/read-statement.ts'
import type { Journal } from './journal.ts'
import { statementOf, writePrivate } from './list-output.ts'
import type { OpenList } from './open-list-file.ts'
import { statementPage } from './statement-page.ts'

export const STATEMENT_FORMAT = 'format-checker-statement/2'

/** One payment of a finished list. Amounts are atomic units as text. */
export interface StatementPayment {
  readonly amount: string
  /** Who was paid, by the terms; null where no terms are kept. */
  readonly payTo: string | null
  /** The settlement response with its receipt and the salt; null if the answer was lost. */
  readonly settlement: SettleResponse | null
  /** Finds a payment on the chain whose answer was lost. */
  readonly authorization: Authorization | null
  /** What was asked, as the receipt's hash covers it, gzipped, base64; null in what a former version bought. */
  readonly request: string | null
  /** The results as the service sent them, gzipped, base64. */
  readonly results: string | null
  /** Where each value stands: all its cells in the checked columns, counted from 1, row by row. */
  readonly cells: readonly (readonly number[])[]
}

/** What a list cost and what was bought. For the buyer alone: it holds the values, and the salts of their hashes. */
export interface Statement {
  readonly format: typeof STATEMENT_FORMAT
  readonly private: string
  readonly service: string
  /** ISO 8601, UTC. */
  readonly finishedAt: string
  /** Hashes in hex; null of an input that was not read to its end. */
  readonly input: { readonly file: string; readonly sha256: string | null }
  readonly output: { readonly file: string; readonly sha256: string }
  /** How to read the list to compare with. */
  readonly list: {
    /** The output; or the input, if the output is a table for people. */
    readonly of: 'input' | 'output'
    readonly encoding: string | null
    readonly sheet: string | null
    /** The columns that were checked, by name or number. */
    readonly columns: readonly { readonly type: CheckType; readonly column: string | null }[]
    /** The columns of the results: what they mean, their headings or null, and the number before them; null in an input. */
    readonly results: {
      readonly format: typeof RESULT_FORMAT
      readonly headings: readonly string[] | null
      readonly behind: number
    } | null
  }
  /** The DID document of the service, with its public keys; null if it was not to be had. */
  readonly keys: unknown
  readonly payments: readonly StatementPayment[]
}

/** The cells that each payment bought. */
export function createBoughtCells(journal: Journal) {
  // Most values stand in one cell: its number alone takes a sixth of the memory of a list.
  const bought = new Map<number, { readonly cells: (number | number[])[]; readonly lines: number[] }>()
  let number = 0
  return {
    /** Called for each row once, in the order in which they are written. */
    add(row: InputRow) {
      for (const each of cellsOf(row)) {
        number += 1
        const cell = readRow(each)
        const place = cell.ok ? journal.placeOf(journal.keyOf(cell.value, each.type)) : undefined
        if (place === undefined) continue
        const { cells, lines } = bought.get(place.payment) ?? { cells: [], lines: [row.line] }
        const known = cells[place.position]
        cells[place.position] = known === undefined ? number : [known, number].flat()
        lines[1] = row.line
        bought.set(place.payment, { cells, lines })
      }
    },
    of: (payment: number) => bought.get(payment)?.cells ?? [],
    /** The first and last line of the input with such a cell. */
    linesOf: (payment: number) => bought.get(payment)?.lines ?? [],
  }
}

export interface StatementOptions {
  readonly out: string
  readonly source: Pick<ListOptions, 'file' | 'columns' | 'outputFormat'>
  readonly url: string
  readonly journal: Journal
  readonly input: Omit<OpenList, 'rows' | 'close'>
  readonly cells: ReturnType<typeof createBoughtCells>
  /** Whether an earlier run may have left a statement. */
  readonly replaces: boolean
}

/** Writes the statement and its page, readable by their owner only. */
export async function writeStatement(options: StatementOptions): Promise<void> {
  const { out, source, url, input, journal, cells, replaces } = options
  const statement: Statement = {
    format: STATEMENT_FORMAT,
    private: 'Keep this file to yourself: it holds the values, and the salts that tie the receipts to them.',
    service: url,
    finishedAt: new Date().toISOString(),
    input: { file: basename(source.file), sha256: input.sha256() },
    output: { file: basename(out), sha256: await hashFile(out) },
    list: listOf(options),
    keys: await fetchDidDocument(url),
    payments: journal.payments().map(({ id, amount, size, payTo, authorization, bought }) => ({
      ...{ amount: String(amount), payTo, authorization },
      settlement: bought?.settlement ?? null,
      request: bought?.request ?? null,
      results: bought?.results ?? null,
      cells: Array.from({ length: size }, (_, at) => [cells.of(id)[at] ?? []].flat()),
    })),
  }
  const lines = journal.payments().map(({ id }) => cells.linesOf(id))
  const encoder = new TextEncoder()
  writePrivate(statementOf(out, 'json'), encoder.encode(JSON.stringify(statement)), replaces)
  writePrivate(statementOf(out, 'html'), encoder.encode(statementPage(statement, lines)), replaces)
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

function listOf(options: StatementOptions): Statement['list'] {
  const { source, input } = options
  const { sheet, isNamed } = input
  const header = headerOf(options)
  const columns = input.columns.map(({ type, index }, at) => ({
    type,
    column: columnName(options, header, index, at),
  }))
  if (source.outputFormat === 'table')
    return { of: 'input', encoding: input.encoding?.name ?? null, columns, sheet, results: null }
  const encoding = keptEncoding(source.outputFormat, input)?.name ?? null
  const headings = isNamed || source.outputFormat === 'jsonl' ? resultColumns(header, input.columns) : null
  return {
    ...{ of: 'output', encoding, columns, sheet: source.outputFormat === 'workbook' ? sheet : null },
    results: { format: RESULT_FORMAT, headings, behind: header.length },
  }
}

/** The names of the columns in the output. */
const headerOf = ({ source, input }: StatementOptions): readonly string[] =>
  source.outputFormat === 'jsonl' ? memberNames(input) : input.header

/** The name or number of a column in the list to compare with. */
function columnName(
  { source, input }: StatementOptions,
  header: readonly string[],
  index: number,
  at: number,
): string | null {
  if (source.outputFormat === 'table') return source.columns[at]?.column ?? null
  const heading = header[index] ?? ''
  // Columns with the same heading are named by number; members of JSON have no number, and differ.
  const isUnique = input.isNamed && header.indexOf(heading) === header.lastIndexOf(heading)
  return isUnique || source.outputFormat === 'jsonl' ? heading : String(index + 1)
}
