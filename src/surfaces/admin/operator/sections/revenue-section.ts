import { type Html, html } from '../../../../http/body/html.ts'
import { daysUpTo } from '../../../../ledger/utc-days.ts'
import { type Bar, bars } from '../charts/bars.ts'
import type { Figures } from '../figures/figures.ts'
import type { DayRevenue } from '../figures/revenue-book.ts'
import { isWithin, type ViewRange } from '../figures/view-range.ts'
import { counted, plain } from '../numbers.ts'
import { shown, tile } from '../shown.ts'
import { formatUsd } from '../usd.ts'

const salesOf = (cells: readonly DayRevenue[]) => cells.reduce((sum, { sales }) => sum + sales, 0)
const revenueOf = (cells: readonly DayRevenue[]) => cells.reduce((sum, { revenue }) => sum + revenue, 0n)

/** Revenue and sales of today, 7 days, 30 days and in all; the operator's own apart. */
export function revenueSection({ revenue, at }: Figures, range: ViewRange): Html {
  return shown(revenue, (all) => {
    const cells = all.filter((cell) => isWithin(range, cell))
    const others = cells.filter(({ own }) => !own)
    const own = cells.filter((cell) => cell.own)
    const span = (name: string, days: number) => {
      const [first = ''] = daysUpTo(at, days)
      return revenueTile(
        name,
        others.filter(({ day }) => day >= first),
      )
    }
    return html`<div class="tiles">${span('Today', 1)}${span('7 days', 7)}${span('30 days', 30)}${revenueTile('In all', others)}</div>
<p>Own sales, not counted above or in the charts of sales: ${plain(salesOf(own))} (${formatUsd(revenueOf(own))}).</p>`
  })
}

const revenueTile = (name: string, cells: readonly DayRevenue[]): Html =>
  tile(name, formatUsd(revenueOf(cells)), counted(salesOf(cells), 'sale'))

/** Sales of the range by type and by surface. */
export function salesSection({ revenue, at }: Figures, range: ViewRange): Html {
  return shown(revenue, (all) => {
    const [first = ''] = daysUpTo(at, range.days)
    const cells = all.filter((cell) => !cell.own && cell.day >= first && isWithin(range, cell))
    return html`<div class="charts">
${bars(
  'Sales by check',
  grouped(cells, ({ checkType }) => checkType),
)}
${bars(
  'Sales by surface',
  grouped(cells, ({ surface }) => surface),
)}
</div>`
  })
}

function grouped(cells: readonly DayRevenue[], by: (cell: DayRevenue) => string): readonly Bar[] {
  const names = [...new Set(cells.map(by))].toSorted()
  return names.map((name) => {
    const part = cells.filter((cell) => by(cell) === name)
    return { name, value: salesOf(part), note: formatUsd(revenueOf(part)) }
  })
}
