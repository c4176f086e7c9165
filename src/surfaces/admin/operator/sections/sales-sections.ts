import { formatUsd, groupDigits } from '../../../../payments/networks/usdc.ts'
import { type Html, html } from '../../../../values/html.ts'
import { daysUpTo } from '../../../../values/utc-days.ts'
import { dayChart } from '../charts.ts'
import type { Figures } from '../figures/figures.ts'
import { isFailedPayment } from '../figures/funnel.ts'
import type { SalesCell } from '../figures/sales-book.ts'
import { sumSales } from '../figures/sum-sales.ts'
import { ofLast } from '../figures/view-range.ts'
import { counted } from '../numbers.ts'
import { code, ifRead, type Tile, table, tiles } from '../tables.ts'

const MOST_PAYERS = 20

export const revenueSection = ({ sales, at }: Figures): Html =>
  ifRead(sales, (cells) => {
    const others = cells.filter(({ own }) => !own)
    const [yesterday] = daysUpTo(at, 2)
    const own = sumSales(cells.filter((cell) => cell.own))
    return html`${tiles([
      revenueTile('Today', ofLast(1, others, at)),
      revenueTile(
        'Yesterday',
        others.filter(({ day }) => day === yesterday),
      ),
      revenueTile('7 days', ofLast(7, others, at)),
      revenueTile('30 days', ofLast(30, others, at)),
      revenueTile('All time', others),
    ])}
<p>Own purchases, not counted above or in the charts: ${groupDigits(own.values)} (${formatUsd(own.revenue)}).</p>`
  })

const revenueTile = (name: string, cells: readonly SalesCell[]): Tile => {
  const { revenue, values, sales } = sumSales(cells)
  return [name, formatUsd(revenue), `${counted(values, 'value')} in ${counted(sales, 'sale')}`]
}

export function trendsSection({ sales, counts, at }: Figures, length: number): Html {
  const days = daysUpTo(at, length)
  return html`<div class="charts">${ifRead(sales, (all) => {
    const byDay = Map.groupBy(
      all.filter(({ own }) => !own),
      ({ day }) => day,
    )
    const sums = days.map((day) => sumSales(byDay.get(day) ?? []))
    const values = sums.map((sum) => BigInt(sum.values))
    const revenue = sums.map((sum) => sum.revenue)
    return html`${dayChart({ title: 'Values by day', days, values, format: groupDigits })}
${dayChart({ title: 'Revenue by day', days, values: revenue, format: formatUsd })}`
  })}${ifRead(counts, (all) => {
    const byDay = Map.groupBy(
      all.filter(({ outcome }) => isFailedPayment(outcome)),
      ({ day }) => day,
    )
    const values = days.map((day) =>
      (byDay.get(day) ?? []).reduce((sum, { count }) => sum + BigInt(count), 0n),
    )
    return dayChart({ title: 'Failed payments by day', days, values, format: groupDigits })
  })}</div>`
}

export const payersSection = ({ sales, at }: Figures, days: number): Html =>
  ifRead(sales, (all) => {
    const [first = ''] = daysUpTo(at, days)
    const buyers = [...Map.groupBy(ofLast(days, all, at), ({ payer }) => payer)].flatMap(([payer, part]) =>
      payer === null ? [] : [{ ...payer, own: part[0]?.own === true, ...sumSales(part) }],
    )
    const fresh = buyers.filter(({ since }) => since >= first).length
    const most = buyers
      .toSorted((a, b) => Number(b.revenue - a.revenue) || (a.address < b.address ? -1 : 1))
      .slice(0, MOST_PAYERS)
    return html`${tiles([
      ['New', groupDigits(fresh), 'first sale in this time'],
      ['Returning', groupDigits(buyers.length - fresh), 'bought before, too'],
    ])}
${table(
  'Revenue by payer',
  ['Payer', 'Revenue', 'Values', 'Sales', 'Since'],
  most.map(({ address, own, revenue, values, sales: count, since }) => [
    html`${code(address)}${own && html` <small>own</small>`}`,
    formatUsd(revenue),
    groupDigits(values),
    groupDigits(count),
    since,
  ]),
)}${buyers.length > MOST_PAYERS && html`<p>The ${MOST_PAYERS} who paid most of ${groupDigits(buyers.length)}; all are in the CSV.</p>`}`
  })
