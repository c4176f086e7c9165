/** The sales as a table for an accountant: one line for each, with its date in UTC and its amount in US dollars. */
import type { PaymentRow } from '../../../ledger/payment-row.ts'

const COLUMNS = [
  'date',
  'time_utc',
  'usd',
  'check',
  'surface',
  'own',
  'payer',
  'payee',
  'network',
  'asset',
  'amount_atomic',
  'transaction',
  'on_chain',
]
const UNIT = 1_000_000n

export const CSV_HEADER = `${COLUMNS.join(',')}\r\n`

/** One line (RFC 4180); every member is our own word, a number or a hexadecimal string, so none needs quotes. */
export function csvLine(row: PaymentRow, ownPayers: readonly string[]): string {
  const settled = new Date(row.settledAt ?? 0).toISOString()
  const fields = [
    settled.slice(0, 10),
    settled.slice(11, 19),
    `${row.amount / UNIT}.${(row.amount % UNIT).toString().padStart(6, '0')}`,
    row.checkType,
    row.surface,
    ownPayers.includes(row.payer) ? 'yes' : 'no',
    row.payer,
    row.payTo,
    row.network,
    row.asset,
    row.amount.toString(),
    row.transaction ?? '',
    row.audit ?? '',
  ]
  return `${fields.join(',')}\r\n`
}
