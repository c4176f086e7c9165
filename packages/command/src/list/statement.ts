import { basename } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { cellsOf, type InputRow } from '../../../../src/lists/input-row.ts'
import { readRow } from '../../../../src/lists/read-cell.ts'
import { memberNames } from '../../../../src/lists/results.ts'
import {
  isPaid,
  PRIVATE,
  STATEMENT_FORMAT,
  type Statement,
  type StatementPayment,
} from '../../../../src/lists/statement/format.ts'
import { countAnswers, statementPage } from '../../../../src/lists/statement/page.ts'
import type { ListOptions } from '../buy/buy-options.ts'
import { fetchDidDocument } from '../buyer/did-document.ts'
import { networkInWords } from '../statement/network-title.ts'
import { hashFile } from './hash-file.ts'
import type { Journal } from './journal.ts'
import { type OutputOptions, statementOf, writePrivate } from './list-output.ts'
import type { MadePayment } from './made-payment.ts'
import type { OpenList } from './open-list-file.ts'

/** The cells that each payment bought. */
export function createBoughtCells(journal: Journal) {
  // Most values stand in one cell: its number alone takes a sixth of the memory of a list.
  const bought = new Map<number, (number | number[])[]>()
  let number = 0
  return {
    /** Called for each row once, in the order in which they are written. */
    add(row: InputRow) {
      for (const each of cellsOf(row)) {
        number += 1
        const cell = readRow(each)
        const place = cell.ok ? journal.placeOf(journal.keyOf(cell.value, each.type)) : undefined
        if (place === undefined) continue
        const cells = bought.get(place.payment) ?? []
        const known = cells[place.position]
        cells[place.position] = known === undefined ? number : [known, number].flat()
        bought.set(place.payment, cells)
      }
    },
    of: (payment: number) => bought.get(payment) ?? [],
  }
}

export interface StatementOptions {
  readonly out: string
  readonly source: Pick<ListOptions, 'file' | 'columns'> & Pick<OutputOptions, 'outputFormat'>
  readonly url: string
  readonly journal: Journal
  readonly input: Omit<OpenList, 'rows' | 'close'>
  readonly cells: ReturnType<typeof createBoughtCells>
  /** Cells for which nothing was bought, by code. */
  readonly leftOut: Readonly<Record<string, number>>
  /** Whether an earlier run may have left a statement. */
  readonly replaces: boolean
}

/** Writes the statement and its page, readable by their owner only. */
export async function writeStatement(options: StatementOptions): Promise<void> {
  const { out, source, url, input, journal, cells, leftOut, replaces } = options
  const statement: Statement = {
    ...{ format: STATEMENT_FORMAT, private: PRIVATE, service: url, finishedAt: new Date().toISOString() },
    input: { file: basename(source.file), sha256: input.sha256() },
    output: { file: basename(out), sha256: await hashFile(out) },
    list: { columns: columnsOf(options), sheet: input.sheet, leftOut },
    keys: await fetchDidDocument(url),
    payments: journal.payments().map((made) => paymentOf(made, cells.of(made.id))),
  }
  const page = statementPage(statement, {
    answers: countAnswers(answersOf(statement)),
    networkInWords,
    file: basename(statementOf(out, 'json')),
  })
  const encoder = new TextEncoder()
  writePrivate(statementOf(out, 'json'), [encoder.encode(JSON.stringify(statement))], replaces)
  writePrivate(statementOf(out, 'html'), [encoder.encode(page)], replaces)
}

function paymentOf(
  { amount, size, payTo, authorization, bought }: MadePayment,
  found: ReturnType<ReturnType<typeof createBoughtCells>['of']>,
): StatementPayment {
  const cells = Array.from({ length: size }, (_, at) => [found[at] ?? []].flat())
  const every = { amount: String(amount), cells }
  return bought === null ? { ...every, payTo, authorization } : { ...every, payTo: payTo ?? '', ...bought }
}

/** The answers of each payment, unpacked one after another: this program packed them. */
function* answersOf({ payments }: Statement): Generator<unknown, void> {
  for (const payment of payments)
    if (isPaid(payment)) yield JSON.parse(gunzipSync(Buffer.from(payment.results, 'base64')).toString())
}

/** Names of the columns as a reader of the output finds them. */
function columnsOf(options: StatementOptions): Statement['list']['columns'] {
  const header = headerOf(options)
  return options.input.columns.map(({ type, index }, at) => ({
    type,
    column: columnName(options, header, index, at),
  }))
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
