/** One sale as a line of CSV, for the admin port and for `stats`: times in UTC, the amount in dollars and in atomic units. */
import type { PaymentRow } from '../../../ledger/payments/payment-row.ts'

export type SaleFields = Readonly<Record<(typeof SALE_COLUMNS)[number], string>>

export const SALE_COLUMNS = [
  'date',
  'time_utc',
  'usd',
  'type',
  'surface',
  'values',
  'own',
  'payer',
  'payee',
  'network',
  'asset',
  'amount_atomic',
  'transaction',
  'on_chain',
] as const
const UNIT = 1_000_000n

/** @param ownPayers - lower-case addresses of the operator's own buyers */
export function saleFields(row: PaymentRow, ownPayers: readonly string[]): SaleFields {
  const settled = new Date(row.settledAt ?? 0).toISOString()
  return {
    date: settled.slice(0, 10),
    time_utc: settled.slice(11, 19),
    usd: `${row.amount / UNIT}.${(row.amount % UNIT).toString().padStart(6, '0')}`,
    type: row.checkType,
    surface: row.surface,
    values: String(row.items),
    own: ownPayers.includes(row.payer) ? 'yes' : 'no',
    payer: row.payer,
    payee: row.payTo,
    network: row.network,
    asset: row.asset,
    amount_atomic: row.amount.toString(),
    transaction: row.transaction ?? '',
    on_chain: row.audit ?? '',
  }
}
