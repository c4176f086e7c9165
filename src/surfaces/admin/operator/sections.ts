import { type Html, html } from '../../../http/body/html.ts'
import type { Backlog } from '../../../ledger/operator-figures.ts'
import { daysUpTo } from '../../../ledger/utc-days.ts'
import { attentionTables } from './attention-tables.ts'
import { type Bar, bars } from './bars.ts'
import { ATTENTION_LIMIT, type Figures, type Percentile } from './figures.ts'
import { buildFunnel, type Stages } from './funnel.ts'
import { summarizePayers } from './payer-book.ts'
import type { DayRevenue } from './revenue-book.ts'
import { counted, FAILED, plain, shown, tile } from './shown.ts'
import { formatUsd } from './usd.ts'
import { isWithin, type ViewRange } from './view-range.ts'

const salesOf = (cells: readonly DayRevenue[]) => cells.reduce((sum, { sales }) => sum + sales, 0)
const revenueOf = (cells: readonly DayRevenue[]) => cells.reduce((sum, { revenue }) => sum + revenue, 0n)

/** Revenue and sales of today, 7 days, 30 days and in all; the operator's own apart. */
export function money({ revenue, at }: Figures, range: ViewRange): Html {
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
export function shares({ revenue, at }: Figures, range: ViewRange): Html {
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

/** From the quote to the delivered verdict, by surface, and what stopped the others. */
export function funnel({ counts, revenue, at }: Figures, range: ViewRange): Html {
  if (counts.kind === 'failed' || revenue.kind === 'failed') return FAILED
  const [first = ''] = daysUpTo(at, range.days)
  const inRange = <T extends { day: string; checkType: string; surface: string }>(cells: readonly T[]) =>
    cells.filter((cell) => cell.day >= first && isWithin(range, cell))
  const { all, bySurface, drops, replayed, reconciled, writtenOff } = buildFunnel(
    inRange(counts.value),
    inRange(revenue.value),
  )
  const rows = [...bySurface].map(
    ([name, each]) =>
      html`<tr><th scope="row">${name}</th>${stageCells(each)}</tr>
`,
  )
  return html`<div class="charts">
${bars('From quote to verdict, own calls included', [
  { name: 'quoted (402)', value: all.quoted },
  { name: 'paid', value: all.paid, note: share(all.paid, all.quoted, 'of quoted') },
  { name: 'settled', value: all.settled, note: share(all.settled, all.paid, 'of paid') },
  { name: 'delivered', value: all.delivered, note: share(all.delivered, all.settled, 'of settled') },
])}
<div class="scroll wide" tabindex="0" role="region" aria-label="Funnel by surface"><table><caption>By surface</caption><thead><tr><th scope="col">surface</th><th scope="col">quoted</th><th scope="col">paid</th><th scope="col">settled</th><th scope="col">delivered</th></tr></thead><tbody>${rows}</tbody></table></div>
${
  drops.length > 0 &&
  bars(
    'Why a payment was no sale',
    drops.map(({ reason, count }) => ({
      name: reason,
      value: count,
      note: share(count, all.paid, 'of paid'),
    })),
  )
}
</div><p>Repeated paid calls, answered again and not charged: ${plain(replayed)}. Resolved by the chain: ${plain(reconciled)} were paid, ${plain(writtenOff)} never charged.</p>`
}

const stageCells = ({ quoted, paid, settled, delivered }: Stages): Html =>
  html`<td>${plain(quoted)}</td><td>${plain(paid)} <small>${share(paid, quoted)}</small></td><td>${plain(settled)} <small>${share(settled, paid)}</small></td><td>${plain(delivered)} <small>${share(delivered, settled)}</small></td>`

/** Clients that pay at the first request make more payments than quotes, so a share may pass 100 %. */
const share = (part: number, whole: number, of = ''): string =>
  whole === 0 ? '' : `${Math.round((part / whole) * 1000) / 10} %${of === '' ? '' : ` ${of}`}`

/** New and returning payers of the range, of all checks and surfaces. */
export function payers({ payers, at }: Figures, range: ViewRange): Html {
  return shown(payers, (days) => {
    const [first = ''] = daysUpTo(at, range.days)
    const { fresh, returning, most } = summarizePayers(days, first)
    return html`<div class="tiles">${tile('New', plain(fresh), 'first sale in this time')}${tile('Returning', plain(returning), 'bought before, too')}</div>
<div class="scroll" tabindex="0" role="region" aria-label="Payers who bought most"><table><caption>Payers who bought most</caption><thead><tr><th scope="col">Payer</th><th scope="col">Sales</th><th scope="col">Since</th></tr></thead><tbody>${most.map(
      ({ payer, sales, since }) =>
        html`<tr><th scope="row"><code>${payer}</code></th><td>${plain(sales)}</td><td>${since}</td></tr>
`,
    )}</tbody></table></div>`
  })
}

/** What needs a person: the numbers, then the rows behind them. */
export function attention({ backlog, attention, at }: Figures): Html {
  return html`${shown(backlog, (value) => backlogTiles(value, at))}${shown(attention, (rows) => attentionTables(rows, at, ATTENTION_LIMIT))}`
}

function backlogTiles(backlog: Backlog, at: number): Html {
  const { inDoubt, inDoubtSince, settling, refused, claimed, auditMissing, auditPending } = backlog
  const minutes = inDoubtSince === null ? 0 : Math.max(0, Math.floor((at - inDoubtSince) / 60_000))
  return html`<div class="tiles">${[
    tile(
      'In doubt',
      plain(inDoubt),
      inDoubtSince === null ? 'none' : `oldest: ${plain(minutes)} min`,
      inDoubt > 0 ? 'is-watch' : 'is-plain',
    ),
    tile('Under way', plain(settling), `settling; ${plain(claimed)} claimed`),
    tile('Refused', plain(refused), 'still watched on the chain'),
    tile(
      'Audit: missing',
      plain(auditMissing),
      `${plain(auditPending)} not looked for yet`,
      auditMissing > 0 ? 'is-act' : 'is-plain',
    ),
  ]}</div>`
}

/** What this process has seen of the facilitator. */
export function facilitator({ settlements }: Figures): Html {
  const { counts, latencyMs } = settlements
  const latency =
    latencyMs === null
      ? html`<p>No settlement since this process started.</p>`
      : html`<p>Latency of the last settlements: median ${ms(latencyMs.median)}, 95 % under ${ms(latencyMs.slow)}, slowest ${ms(latencyMs.slowest)}.</p>`
  return html`${bars('Settlements since this process started', [
    { name: 'settled', value: counts.settled },
    { name: 'refused', value: counts.refused },
    { name: 'doubtful', value: counts.doubtful },
    { name: 'not sent', value: counts.not_sent },
  ])}${latency}`
}

const ms = (value: number) => `${plain(Math.round(value))} ms`

/** How long buyers wait, by percentile. */
export function latency({ latency: rows }: Figures): Html {
  if (rows.length === 0) return html`<p>No call since this process started.</p>`
  const cell = ({ ms: value, isMore }: Percentile) => html`<td>${isMore && 'over '}${ms(value)}</td>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Latency by percentile"><table><thead><tr><th scope="col">Since this process started</th><th scope="col">calls</th><th scope="col">median</th><th scope="col">95 % under</th><th scope="col">99 % under</th></tr></thead><tbody>
${rows.map(({ name, calls, median, slow, slowest }) => html`<tr><th scope="row">${name}</th><td>${plain(calls)}</td>${cell(median)}${cell(slow)}${cell(slowest)}</tr>`)}
</tbody></table></div>`
}
