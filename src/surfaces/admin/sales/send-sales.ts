import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { writeHead } from '../../../http/body/send.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { PaymentRow } from '../../../ledger/payments/payment-row.ts'
import { csvLine } from '../../../values/csv-line.ts'
import { paginate } from '../../../values/paginate.ts'
import { DAY_MS, daysUpTo } from '../../../values/utc-days.ts'
import { SALE_COLUMNS, saleFields } from './sales-csv.ts'

export interface SalesDeps {
  readonly ledger: Pick<Ledger, 'settled'>
  readonly ownPayers: readonly string[]
  /** UTC milliseconds. */
  readonly now: () => number
  /** Days back from today, today included. */
  readonly days: number
  readonly onSent: (count: number) => void
}

/**
 * Reports how many were sent, also if the client left early. The store is asked before the answer begins, so that a
 * store that is down is a 500.
 */
export async function sendSales(
  req: IncomingMessage,
  res: ServerResponse,
  { ledger, ownPayers, now, days, onSent }: SalesDeps,
): Promise<void> {
  const range = daysUpTo(now(), days)
  const [from = '', to = ''] = [range[0], range.at(-1)]
  const [start, end] = [Date.parse(from), Date.parse(to) + DAY_MS]
  await ledger.settled(start, end, 1)
  writeHead(res, 200, [
    ...['Content-Type', 'text/csv; charset=utf-8; header=present'],
    ...['Content-Disposition', `attachment; filename="sales-${from}-to-${to}.csv"`],
  ])
  if (req.method === 'HEAD') return void res.end()
  let sent = 0

  async function* lines(): AsyncGenerator<string, void> {
    yield csvLine(SALE_COLUMNS)
    for await (const row of paginate<PaymentRow>((limit, after) =>
      ledger.settled(start, end, limit, after),
    )) {
      sent += 1
      yield csvLine(Object.values(saleFields(row, ownPayers)))
    }
  }
  await pipeline(Readable.from(lines()), res)
    .finally(() => onSent(sent))
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
    })
}
