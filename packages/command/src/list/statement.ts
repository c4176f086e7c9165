import { basename } from 'node:path'
import type { SettleResponse } from '@x402/core/types'
import type { CheckType } from '../../../../src/checks/verdict.ts'
import { type CheckedColumn, cellsOf, type InputRow } from '../../../../src/lists/input-row.ts'
import { readRow } from '../../../../src/lists/read-cell.ts'
import type { ListOptions } from '../buy/buy-options.ts'
import { fetchDidDocument } from '../verify/did-document.ts'
import type { Journal } from './journal.ts'
import { statementOf, writePrivate } from './list-output.ts'
import type { OpenList } from './open-list-file.ts'
import { statementPage } from './statement-page.ts'

/** The columns that were checked, by name or number. */
export const columnsOf = ({ type, list, others = [] }: Statement) =>
  [{ type, column: list.column ?? undefined }, ...others] as const

export const STATEMENT_FORMAT = 'format-checker-statement/1'

/** One payment of a finished list. Amounts are atomic units as text. */
export interface StatementPayment {
  readonly amount: string
  /** Who was paid; null where no terms are kept. */
  readonly payTo: string | null
  /** The settlement response with its receipt and the salt; null if the answer was lost. */
  readonly settlement: SettleResponse | null
  /** The results as the service sent them, gzipped, base64. */
  readonly results: string | null
  /** Rows of the checked file, from 1, in the order of the results; null for a value that the file no longer has. */
  readonly rows: readonly (number | null)[]
  /** The checked column of each of them, from 1; absent if there is only one. */
  readonly columns?: readonly (number | null)[]
}

/** What a list cost and what was bought. For the buyer alone, because its salts tie the receipts to the values. */
export interface Statement {
  readonly format: typeof STATEMENT_FORMAT
  readonly private: string
  readonly service: string
  /** Of the first column. */
  readonly type: CheckType
  /** The further columns of a list of several. */
  readonly others?: readonly { readonly type: CheckType; readonly column: string }[]
  /** ISO 8601, UTC. */
  readonly finishedAt: string
  /** The file with the results, beside this one, and how to read it. */
  readonly list: {
    readonly file: string
    readonly column: string | null
    readonly encoding: string | null
    readonly sheet: string | null
  }
  /** The DID document of the service, with its public keys; null if it was not to be had. */
  readonly keys: unknown
  readonly payments: readonly StatementPayment[]
}

/** What the journal keeps of a charged payment for the statement. */
export interface Evidence {
  readonly settlement: SettleResponse
  readonly payTo: string | null
  readonly results: string
}

/** The rows that each payment bought. */
export interface BoughtRows {
  /** Called for each row once, in the order in which they are written. */
  add(row: InputRow): void
  of(payment: number): readonly { readonly row: number; readonly column: number }[]
}

export function createBoughtRows(journal: Journal): BoughtRows {
  const rows = new Map<number, { row: number; column: number }[]>()
  let number = 0
  return {
    add(row) {
      number += 1
      for (const [at, each] of cellsOf(row).entries()) {
        const cell = readRow(each)
        const place = cell.ok ? journal.placeOf(journal.keyOf(cell.value, each.type)) : undefined
        if (place === undefined) continue
        const known = rows.get(place.payment) ?? []
        rows.set(place.payment, known)
        known[place.position] ??= { row: number, column: at + 1 }
      }
    },
    of: (payment) => rows.get(payment) ?? [],
  }
}

export interface StatementOptions {
  readonly out: string
  readonly source: Pick<ListOptions, 'file' | 'columns' | 'outputFormat'>
  readonly url: string
  readonly journal: Journal
  readonly input: Omit<OpenList, 'rows' | 'close'>
  readonly rows: BoughtRows
  /** Whether an earlier run may have left a statement. */
  readonly replaces: boolean
}

/** Writes the statement and its page, readable by their owner only. */
export async function writeStatement(options: StatementOptions): Promise<void> {
  const { out, url, input, journal, rows, replaces } = options
  const [first, ...others] = input.columns
  const nameOf = ({ index }: CheckedColumn, at: number) => columnName(options, index, at)
  const statement: Statement = {
    format: STATEMENT_FORMAT,
    private: 'Keep this file to yourself: its salts tie the receipts to the values.',
    service: url,
    type: first.type,
    ...(others.length > 0 && {
      others: others.map((each, at) => ({ type: each.type, column: nameOf(each, at + 1) ?? '' })),
    }),
    finishedAt: new Date().toISOString(),
    list: { ...listOf(options), column: nameOf(first, 0) },
    keys: await fetchDidDocument(url),
    payments: journal.payments().map(({ id, amount, size, evidence }) => {
      const bought = Array.from({ length: size }, (_, at) => rows.of(id)[at])
      return {
        amount: String(amount),
        payTo: evidence?.payTo ?? null,
        settlement: evidence?.settlement ?? null,
        results: evidence?.results ?? null,
        rows: bought.map((each) => each?.row ?? null),
        ...(others.length > 0 && { columns: bought.map((each) => each?.column ?? null) }),
      }
    }),
  }
  const encoder = new TextEncoder()
  writePrivate(statementOf(out, 'json'), encoder.encode(JSON.stringify(statement)), replaces)
  writePrivate(statementOf(out, 'html'), encoder.encode(statementPage(statement)), replaces)
}

/** The file to compare with, and how to read it: the output, or the source if the output is a table for people. */
function listOf({ out, source, input }: StatementOptions): Omit<Statement['list'], 'column'> {
  const { sheet } = input
  const encoding = input.encoding?.name ?? null
  if (source.outputFormat === 'table') return { file: basename(source.file), encoding, sheet }
  return { file: basename(out), encoding, sheet: source.outputFormat === 'workbook' ? sheet : null }
}

/** The name or number of a column in the file to compare with. */
function columnName({ source, input }: StatementOptions, index: number, at: number): string | null {
  const { header, isNamed, format } = input
  if (source.outputFormat === 'table') return source.columns[at]?.column ?? null
  const heading = header[index] ?? ''
  // Columns with the same heading are named by number; members of JSON have no number, and differ.
  const isUnique = isNamed && header.indexOf(heading) === header.lastIndexOf(heading)
  return isUnique || format === 'jsonl' ? heading : String(index + 1)
}
