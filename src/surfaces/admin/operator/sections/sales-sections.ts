/** What was sold: revenue by time, by check and surface, and who bought. */
import { type Html, html } from '../../../../http/body/html.ts'
import { daysUpTo } from '../../../../ledger/utc-days.ts'
import type { Figures } from '../figures/figures.ts'
import { type SalesCell, sumSales } from '../figures/sales-book.ts'
import { counted, plain } from '../numbers.ts'
import { code, ifRead, table, tile, tiles } from '../tables.ts'
import { formatUsd } from '../usd.ts'

const MOST_PAYERS = 20

/** Revenue, values and sales by time; the operator's own apart. */
export const revenueSection = ({ sales, at }: Figures): Html =>
  ifRead(sales, (cells) => {
    const others = cells.filter(({ own }) => !own)
    const [yesterday = '', today = ''] = daysUpTo(at, 2)
    const own = sumSales(cells.filter((cell) => cell.own))
    return html`${tiles([
      revenueTile(
        'Today',
        others.filter(({ day }) => day === today),
      ),
      revenueTile(
        'Yesterday',
        others.filter(({ day }) => day === yesterday),
      ),
      revenueTile('7 days', within(others, at, 7)),
      revenueTile('30 days', within(others, at, 30)),
      revenueTile('All time', others),
    ])}
<p>Own purchases, not counted above or by check and surface: ${plain(own.values)} (${formatUsd(own.revenue)}).</p>`
  })

const revenueTile = (name: string, cells: readonly SalesCell[]): Html => {
  const { revenue, ...sum } = sumSales(cells)
  return tile(name, formatUsd(revenue), soldIn(sum))
}

const soldIn = ({ values, sales }: { readonly values: number; readonly sales: number }) =>
  `${counted(values, 'value')} in ${counted(sales, 'sale')}`

/** Values of the last days by check and by surface. */
export const soldSection = ({ sales, at }: Figures, days: number): Html =>
  ifRead(sales, (all) => {
    const cells = within(all, at, days).filter(({ own }) => !own)
    const by = (what: string, nameOf: (cell: SalesCell) => string) =>
      table(
        `Values by ${what.toLowerCase()}`,
        [what, 'Values', 'Sales', 'Revenue'],
        [...Map.groupBy(cells, nameOf)]
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, part]) => {
            const { values, sales, revenue } = sumSales(part)
            return [name, plain(values), plain(sales), formatUsd(revenue)]
          }),
      )
    return html`${by('Check', ({ checkType }) => checkType)}${by('Surface', ({ surface }) => surface)}`
  })

/** New and returning payers of the last days, and what those who paid most have bought. */
export const payersSection = ({ sales, at }: Figures, days: number): Html =>
  ifRead(sales, (all) => {
    const [first = ''] = daysUpTo(at, days)
    const cells = within(all, at, days)
    const buyers = [...Map.groupBy(cells, ({ payer }) => payer)].flatMap(([payer, part]) =>
      payer === null ? [] : [{ ...payer, own: part[0]?.own === true, ...sumSales(part) }],
    )
    const fresh = buyers.filter(({ since }) => since >= first).length
    const most = buyers
      .toSorted((a, b) => Number(b.revenue - a.revenue) || (a.address < b.address ? -1 : 1))
      .slice(0, MOST_PAYERS)
    return html`${tiles([
      tile('New', plain(fresh), 'first sale in this time'),
      tile('Returning', plain(buyers.length - fresh), 'bought before, too'),
    ])}
${table(
  'Revenue by payer',
  ['Payer', 'Revenue', 'Values', 'Sales', 'Since'],
  most.map(({ address, own, revenue, values, sales: count, since }) => [
    html`${code(address)}${own && html` <small>own</small>`}`,
    formatUsd(revenue),
    plain(values),
    plain(count),
    since,
  ]),
)}${buyers.length > MOST_PAYERS && html`<p>The ${MOST_PAYERS} who paid most of ${plain(buyers.length)}; all are in the CSV.</p>`}`
  })

const within = (cells: readonly SalesCell[], at: number, days: number): readonly SalesCell[] => {
  const [first = ''] = daysUpTo(at, days)
  return cells.filter(({ day }) => day >= first)
}
