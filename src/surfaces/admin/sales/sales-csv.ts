/** One sale as a line of CSV, for the admin port and for `stats`: times in UTC, the amount in dollars and in atomic units. */
import type { PaymentRow } from '../../../ledger/payments/payment-row.ts'

const UNIT = 1_000_000n
const settled = ({ settledAt }: PaymentRow) => new Date(settledAt ?? 0).toISOString()

/** In the order of the line. `ownPayers`: lower-case addresses of the operator's own buyers. */
const SALE = {
  date: (row) => settled(row).slice(0, 10),
  time_utc: (row) => settled(row).slice(11, 19),
  usd: ({ amount }) => `${amount / UNIT}.${(amount % UNIT).toString().padStart(6, '0')}`,
  type: (row) => row.checkType,
  surface: (row) => row.surface,
  values: (row) => String(row.items),
  own: (row, ownPayers) => (ownPayers.includes(row.payer) ? 'yes' : 'no'),
  payer: (row) => row.payer,
  payee: (row) => row.payTo,
  network: (row) => row.network,
  asset: (row) => row.asset,
  amount_atomic: (row) => row.amount.toString(),
  transaction: (row) => row.transaction ?? '',
  on_chain: (row) => row.audit ?? '',
} as const satisfies Record<string, (row: PaymentRow, ownPayers: readonly string[]) => string>

export const SALE_COLUMNS = Object.keys(SALE)

export const saleFields = (row: PaymentRow, ownPayers: readonly string[]) =>
  Object.fromEntries(
    Object.entries(SALE).map(([column, textOf]) => [column, textOf(row, ownPayers)]),
  ) as Record<keyof typeof SALE, string>
