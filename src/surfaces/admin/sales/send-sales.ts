import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { PaymentRow } from '../../../ledger/payment-row.ts'
import { DAY_MS, daysUpTo } from '../../../ledger/utc-days.ts'
import { CSV_HEADER, csvLine } from './sales-csv.ts'

export interface SalesDeps {
  readonly ledger: Pick<Ledger, 'settled'>
  readonly ownPayers: readonly string[]
  /** UTC milliseconds. */
  readonly now: () => number
  /** Days back from today, today included. */
  readonly days: number
  readonly onSent: (count: number) => void
}

const PAGE = 500

/**
 * Streams the sales as CSV; the first page is read before the answer begins, so that a failed store is a 500. Reports
 * how many sales were sent, also if the client left early.
 */
export async function sendSales(
  req: IncomingMessage,
  res: ServerResponse,
  { ledger, ownPayers, now, days, onSent }: SalesDeps,
): Promise<void> {
  const range = daysUpTo(now(), days)
  const [from = '', to = ''] = [range[0], range.at(-1)]
  const [start, end] = [Date.parse(from), Date.parse(to) + DAY_MS]
  const first = await ledger.settled(start, end, PAGE)
  res.writeHead(200, {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': `attachment; filename="sales-${from}-to-${to}.csv"`,
  })
  if (req.method === 'HEAD') return void res.end()
  let sent = 0

  async function* lines(): AsyncGenerator<string, void> {
    yield CSV_HEADER
    let page: readonly PaymentRow[] = first
    while (page.length > 0) {
      sent += page.length
      yield page.map((row) => csvLine(row, ownPayers)).join('')
      const last = page.at(-1)
      page = page.length < PAGE || last === undefined ? [] : await ledger.settled(start, end, PAGE, last)
    }
  }
  await pipeline(Readable.from(lines()), res).finally(() => onSent(sent))
}
