import type { Count } from '../../ledger/operator-figures.ts'
import type { PaymentRow } from '../../ledger/payment-row.ts'

export type ExportFormat = 'csv' | 'json'

/** Writes one piece of the export; resolves when there is room for more. */
export type Write = (text: string) => Promise<void>

export interface SalesTotal {
  readonly sales: number
  /** Atomic units. */
  readonly amount: bigint
  /** Sales whose transfer is known to be missing on the chain. */
  readonly missing: number
}

/** The columns of the export; `amount` is in atomic units of USDC, a million per dollar. */
const COLUMNS = ['date', 'payer', 'amount', 'transaction', 'type', 'surface', 'audit'] as const

const fieldsOf = (row: PaymentRow): Readonly<Record<(typeof COLUMNS)[number], string>> => ({
  date: new Date(row.settledAt ?? 0).toISOString(),
  payer: row.payer,
  amount: row.amount.toString(),
  transaction: row.transaction ?? '',
  type: row.checkType,
  surface: row.surface,
  audit: row.audit ?? '',
})

/** Streams every sale and returns the totals; no field needs quoting in CSV (RFC 4180). */
export async function exportSales(
  rows: AsyncIterable<PaymentRow>,
  format: ExportFormat,
  write: Write,
): Promise<SalesTotal> {
  let sales = 0
  let amount = 0n
  let missing = 0
  await write(format === 'csv' ? `${COLUMNS.join(',')}\r\n` : '{"sales":[')
  for await (const row of rows) {
    const fields = fieldsOf(row)
    if (format === 'csv') await write(`${COLUMNS.map((column) => fields[column]).join(',')}\r\n`)
    else await write(`${sales === 0 ? '' : ','}\n${JSON.stringify(fields)}`)
    sales += 1
    amount += row.amount
    if (row.audit === 'missing') missing += 1
  }
  if (format === 'json') {
    await write(`\n],"total":${JSON.stringify({ sales, amount: amount.toString(), missing })}}\n`)
  }
  return { sales, amount, missing }
}

/** Writes the daily counts of all outcomes, sold or not. */
export async function exportCounts(
  counts: readonly Count[],
  format: ExportFormat,
  write: Write,
): Promise<void> {
  if (format === 'json') return write(`${JSON.stringify({ counts }, null, 1)}\n`)
  await write('day,surface,type,outcome,count\r\n')
  for (const { day, surface, checkType, outcome, count } of counts) {
    await write(`${[day, surface, checkType, outcome, count].join(',')}\r\n`)
  }
}
