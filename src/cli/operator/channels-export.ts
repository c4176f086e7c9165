import type { ChannelRow } from '../../ledger/channel-store.ts'
import type { ExportFormat, Write } from './sales-export.ts'

/** The columns of the export; amounts are in atomic units of USDC, a million per dollar. */
const COLUMNS = [
  'channel',
  'payer',
  'opened',
  'lastCall',
  'calls',
  'balance',
  'charged',
  'claimed',
  'withdrawRequested',
] as const

const moment = (ms: number) => new Date(ms).toISOString()

const fieldsOf = (row: ChannelRow): Readonly<Record<(typeof COLUMNS)[number], string>> => ({
  channel: row.id,
  payer: row.config.payer,
  opened: moment(row.openedAt),
  lastCall: moment(row.lastCall.chargedAt),
  calls: String(row.calls),
  balance: String(row.balance),
  charged: String(row.charged),
  claimed: String(row.totalClaimed),
  withdrawRequested: row.withdrawRequestedAt === 0 ? '' : moment(row.withdrawRequestedAt * 1000),
})

/** Streams every channel; no field needs quoting in CSV (RFC 4180). */
export async function exportChannels(
  rows: AsyncIterable<ChannelRow>,
  format: ExportFormat,
  write: Write,
): Promise<void> {
  let isFirst = true
  await write(format === 'csv' ? `${COLUMNS.join(',')}\r\n` : '{"channels":[')
  for await (const row of rows) {
    const fields = fieldsOf(row)
    if (format === 'csv') await write(`${COLUMNS.map((column) => fields[column]).join(',')}\r\n`)
    else await write(`${isFirst ? '' : ','}\n${JSON.stringify(fields)}`)
    isFirst = false
  }
  if (format === 'json') await write('\n]}\n')
}
