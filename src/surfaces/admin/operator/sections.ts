import { type Html, html } from '../../../http/body/html.ts'
import type { Backlog } from '../../../ledger/ledger.ts'
import { windowDays } from '../../../ledger/utc-days.ts'
import { type Bar, bars } from './bars.ts'
import { dayChart } from './day-chart.ts'
import type { Figures, Reading } from './figures.ts'
import { buildFunnel } from './funnel.ts'
import type { DayTakings } from './takings-book.ts'
import { formatUsd } from './usd.ts'

/** What stands where a figure could not be read: the word, and never a number. */
const FAILED = html`<p class="failed" role="alert"><strong>failed</strong>: the store did not answer</p>`

const shown = <T>(reading: Reading<T>, show: (value: T) => Html): Html =>
  reading.kind === 'read' ? show(reading.value) : FAILED

const plain = (value: number) => value.toLocaleString('en-US')
const salesOf = (cells: readonly DayTakings[]) => cells.reduce((sum, { sales }) => sum + sales, 0)
const revenueOf = (cells: readonly DayTakings[]) => cells.reduce((sum, { revenue }) => sum + revenue, 0n)
const tile = (name: string, value: string, note: string) =>
  html`<div class="tile"><h3>${name}</h3><p class="figure">${value}</p><p>${note}</p></div>`

/** Revenue and sales of today, 7 days, 30 days and in all; the operator's own apart. */
export function money({ takings, at }: Figures): Html {
  return shown(takings, (cells) => {
    const days = windowDays(at)
    const others = cells.filter(({ own }) => !own)
    const own = cells.filter((cell) => cell.own)
    const since = (day: string | undefined) => others.filter((cell) => cell.day >= (day ?? ''))
    const span = (name: string, part: readonly DayTakings[]) =>
      tile(name, formatUsd(revenueOf(part)), `${plain(salesOf(part))} sales`)
    return html`<div class="tiles">${span('Today', since(days.at(-1)))}${span('7 days', since(days.at(-7)))}${span('30 days', since(days[0]))}${span('In all', others)}</div>
<p>Own sales, not counted above or in the charts of sales: ${plain(salesOf(own))} (${formatUsd(revenueOf(own))}).</p>`
  })
}

/** Sales by day and type, revenue by day, and both by type and surface. */
export function sales({ takings, at }: Figures): Html {
  return shown(takings, (cells) => {
    const days = windowDays(at)
    const recent = cells.filter(({ own, day }) => !own && day >= (days[0] ?? ''))
    const types = [...new Set(recent.map(({ checkType }) => checkType))].toSorted()
    const perDay = (part: readonly DayTakings[], value: (cell: DayTakings) => bigint) =>
      days.map((day) => part.filter((cell) => cell.day === day).reduce((sum, cell) => sum + value(cell), 0n))
    const count = (cell: DayTakings) => BigInt(cell.sales)
    const series = types.map((name) => ({
      name,
      values: perDay(
        recent.filter(({ checkType }) => checkType === name),
        count,
      ),
    }))
    const revenue = [{ name: 'revenue', values: perDay(recent, (cell) => cell.revenue) }]
    const legend = types.map((name, colour) => html`<li class="c${colour}">${name}</li>`)
    return html`<div class="charts">
<figure><figcaption>Sales by day</figcaption>${dayChart({ label: `Sales of each of the last ${days.length} days, by type`, days, series, format: grouping })}<ul class="legend">${legend}</ul></figure>
<figure><figcaption>Revenue by day</figcaption>${dayChart({ label: `Revenue of each of the last ${days.length} days`, days, series: revenue, format: formatUsd })}</figure>
${bars(
  'Sales by type',
  grouped(recent, ({ checkType }) => checkType),
)}
${bars(
  'Sales by surface',
  grouped(recent, ({ surface }) => surface),
)}
</div>`
  })
}

function grouped(cells: readonly DayTakings[], by: (cell: DayTakings) => string): readonly Bar[] {
  const names = [...new Set(cells.map(by))].toSorted()
  return names.map((name) => {
    const part = cells.filter((cell) => by(cell) === name)
    return { name, value: salesOf(part), note: formatUsd(revenueOf(part)) }
  })
}

/** From the quote to the delivered verdict, by surface, and what stopped the others. */
export function funnel({ counts, takings, at }: Figures): Html {
  if (counts.kind === 'failed' || takings.kind === 'failed') return FAILED
  const [first = ''] = windowDays(at)
  const { all, bySurface, drops, replayed } = buildFunnel(
    counts.value,
    takings.value.filter(({ day }) => day >= first),
  )
  const rows = [...bySurface].map(
    ([name, each]) =>
      html`<tr><th scope="row">${name}</th><td>${plain(each.quoted)}</td><td>${plain(each.paid)}</td><td>${plain(each.settled)}</td><td>${plain(each.delivered)}</td></tr>
`,
  )
  return html`<div class="charts">
${bars('From quote to verdict, own calls included', [
  { name: 'quoted (402)', value: all.quoted },
  { name: 'paid', value: all.paid },
  { name: 'settled', value: all.settled },
  { name: 'delivered', value: all.delivered },
])}
<table><caption>By surface</caption><thead><tr><th scope="col">surface</th><th scope="col">quoted</th><th scope="col">paid</th><th scope="col">settled</th><th scope="col">delivered</th></tr></thead><tbody>${rows}</tbody></table>
${bars(
  'Why a payment was no sale',
  drops.map(({ reason, count }) => ({ name: reason, value: count })),
)}
</div><p>Repetitions of a paid call, answered again and not charged: ${plain(replayed)}.</p>`
}

/** What is in doubt, what the chain has cleared up, and what the audit did not find. */
export function doubt({ standing, counts, takings, at }: Figures): Html {
  const cleared = shown(counts, (cells) => {
    const { reconciled, writtenOff } = buildFunnel(cells, takings.kind === 'read' ? takings.value : [])
    return html`<p>Cleared up by the chain in 30 days: ${plain(reconciled)} were paid, ${plain(writtenOff)} never charged.</p>`
  })
  return html`${shown(standing, (value) => standingTiles(value, at))}${cleared}`
}

function standingTiles(standing: Backlog, at: number): Html {
  const { inDoubt, inDoubtSince, settling, refused, claimed, auditMissing, auditPending } = standing
  const minutes = inDoubtSince === null ? 0 : Math.max(0, Math.floor((at - inDoubtSince) / 60_000))
  return html`<div class="tiles">${[
    tile('In doubt', plain(inDoubt), inDoubtSince === null ? 'none' : `oldest: ${plain(minutes)} min`),
    tile('Under way', plain(settling), `settling; ${plain(claimed)} claimed`),
    tile('Refused', plain(refused), 'still watched on the chain'),
    tile('Audit: missing', plain(auditMissing), `${plain(auditPending)} not looked for yet`),
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

const grouping = (value: bigint) => value.toLocaleString('en-US')
const ms = (value: number) => `${plain(Math.round(value))} ms`
