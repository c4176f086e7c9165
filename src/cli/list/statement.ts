import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { basename } from 'node:path'
import type { SettleResponse } from '@x402/core/types'
import { readText } from '../../buyer/post-json.ts'
import type { CheckType } from '../../checks/verdict.ts'
import { readRow } from '../../lists/read-cell.ts'
import { UsageError } from '../command-line/usage-error.ts'
import type { Journal } from './journal.ts'
import { type OpenList, openList } from './open-list-file.ts'
import { statementPage } from './statement-page.ts'

export const STATEMENT_FORMAT = 'format-checker-statement/1'
const KEYS_MS = 10_000

/** One payment of a finished list. Amounts are atomic units as text. */
export interface StatementPayment {
  readonly amount: string
  /** Who was paid; null where no terms are kept. */
  readonly payTo: string | null
  /** The settlement response with its receipt and the salt; null if the answer was lost. */
  readonly settlement: SettleResponse | null
  /** The results as the service sent them, gzipped, base64. */
  readonly results: string | null
  /** Which rows of the checked file were bought, from 1, in the order of the results. */
  readonly rows: readonly number[]
}

/** What a list cost and what was bought, for its buyer alone: the salts tie the receipts to the values. */
export interface Statement {
  readonly format: typeof STATEMENT_FORMAT
  readonly private: string
  readonly service: string
  readonly type: CheckType
  /** ISO 8601, UTC. */
  readonly finishedAt: string
  /** The file with the results, beside this one, and how to read it. */
  readonly list: { readonly file: string; readonly column: string; readonly encoding: string | null }
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

/** The statement and its page beside a file of results: `x.csv` has `x.statement.json` and `x.statement.html`. */
export const statementOf = (out: string, ending: 'json' | 'html'): string =>
  `${out.replace(/\.[^./\\]*$/, '')}.statement.${ending}`

export interface StatementOptions {
  readonly out: string
  readonly url: string
  readonly type: CheckType
  readonly journal: Journal
  readonly input: Pick<OpenList, 'header' | 'isNamed' | 'column' | 'encoding' | 'format'>
}

/** Writes both, readable by their owner only, from the journal and the finished file. */
export async function writeStatement({ out, url, type, journal, input }: StatementOptions): Promise<void> {
  const column = input.isNamed ? (input.header[input.column] ?? '1') : String(input.column + 1)
  const encoding = input.encoding === null || input.encoding.isGuess ? null : input.encoding.name
  const statement: Statement = {
    format: STATEMENT_FORMAT,
    private: 'Keep this file to yourself: its salts tie the receipts to the values.',
    service: url,
    type,
    finishedAt: new Date().toISOString(),
    list: { file: basename(out), column, encoding },
    keys: await fetchKeys(url),
    payments: await paymentsOf(
      journal,
      await openList(out, type, { column, encoding: input.encoding?.name }),
    ),
  }
  write(statementOf(out, 'json'), JSON.stringify(statement))
  write(statementOf(out, 'html'), statementPage(statement))
}

/** The payments of the journal with the rows they bought, which are found in the written file. */
async function paymentsOf(journal: Journal, list: OpenList): Promise<readonly StatementPayment[]> {
  const rows = new Map<number, number[]>()
  let row = 0
  for await (const read of list.rows) {
    row += 1
    const cell = readRow(read)
    const place = cell.ok ? journal.placeOf(journal.keyOf(cell.value)) : undefined
    if (place === undefined) continue
    const known = rows.get(place.payment) ?? []
    rows.set(place.payment, known)
    known[place.position] ??= row
  }
  return journal.payments().map(({ id, amount, evidence }) => ({
    amount: String(amount),
    payTo: evidence?.payTo ?? null,
    settlement: evidence?.settlement ?? null,
    results: evidence?.results ?? null,
    rows: rows.get(id) ?? [],
  }))
}

async function fetchKeys(url: string): Promise<unknown> {
  try {
    const response = await fetch(new URL('/.well-known/did.json', url), {
      redirect: 'error',
      signal: AbortSignal.timeout(KEYS_MS),
    })
    return response.ok ? (JSON.parse(await readText(response)) as unknown) : null
  } catch {
    return null
  }
}

function write(path: string, text: string): void {
  try {
    const file = openSync(`${path}.part`, 'w', 0o600)
    writeSync(file, text)
    fsyncSync(file)
    closeSync(file)
    renameSync(`${path}.part`, path)
  } catch (error) {
    throw new UsageError(
      `the statement beside --out cannot be written (${(error as NodeJS.ErrnoException).code})`,
    )
  }
}
