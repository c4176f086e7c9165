/** Charts as SVG without a script: bars by day with their table, and tables whose rows carry a bar. */
import { type Html, html } from '../../../http/body/html.ts'
import { plain } from './numbers.ts'
import { table } from './tables.ts'

export interface DayChart {
  readonly title: string
  /** YYYY-MM-DD, oldest first. */
  readonly days: readonly string[]
  /** Stacked from the bottom up, one value per day; each series has a colour and a pattern of its own. */
  readonly series: readonly { readonly name: string; readonly values: readonly bigint[] }[]
  readonly format: (value: bigint) => string
}

const WIDTH = 360
const HEIGHT = 150
const TOP = 14
const BASE = HEIGHT - 18
const PATTERNS = 6

/** Stacked bars, one for each day, with the same numbers as a table below. */
export function dayChart({ title, days, series, format }: DayChart): Html {
  const totals = days.map((_, day) => series.reduce((sum, { values }) => sum + (values[day] ?? 0n), 0n))
  const highest = totals.reduce((most, value) => (value > most ? value : most), 0n)
  const step = WIDTH / days.length
  const width = step - Math.min(2, step / 4)
  const bars = days.map((day, index) => {
    let y = BASE
    const parts = series.map(({ values }, at) => {
      const height = highest === 0n ? 0 : (Number(values[index] ?? 0n) / Number(highest)) * (BASE - TOP)
      y -= height
      return height === 0 ? html`` : bar(at, index * step, y, width, height)
    })
    return html`<g><title>${day}: ${format(totals[index] ?? 0n)}</title>${parts}</g>`
  })
  const rows = days.map((day, index) => [day, ...series.map(({ values }) => format(values[index] ?? 0n))])
  return html`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
<line class="axis" x1="0" x2="${WIDTH}" y1="${BASE}" y2="${BASE}"/>
<line class="grid" x1="0" x2="${WIDTH}" y1="${TOP}" y2="${TOP}"/>
<text x="0" y="${TOP - 4}">${format(highest)}</text>
${bars}
<text x="0" y="${HEIGHT - 5}">${days[0]}</text>
<text x="${WIDTH}" y="${HEIGHT - 5}" class="end">${days.at(-1)}</text>
</svg>${series.length > 1 && legend(series.map(({ name }) => name))}
<details><summary>As a table</summary>${table(`Table: ${title}`, ['Day', ...series.map(({ name }) => name)], rows.toReversed())}</details></figure>`
}

/** Hatches that tell series apart without colour; placed once in the page. */
export const chartPatterns = (): Html =>
  html`<svg class="patterns" aria-hidden="true" focusable="false"><defs>
<pattern id="hatch-1" width="4" height="4" patternUnits="userSpaceOnUse"><path class="hatch" d="M0 4 4 0"/></pattern>
<pattern id="hatch-2" width="4" height="4" patternUnits="userSpaceOnUse"><circle class="dots" cx="2" cy="2" r="1"/></pattern>
<pattern id="hatch-3" width="4" height="4" patternUnits="userSpaceOnUse"><path class="hatch" d="M0 2h4"/></pattern>
<pattern id="hatch-4" width="4" height="4" patternUnits="userSpaceOnUse"><path class="hatch" d="M0 0 4 4"/></pattern>
<pattern id="hatch-5" width="4" height="4" patternUnits="userSpaceOnUse"><path class="hatch" d="M2 0v4"/></pattern>
</defs></svg>`

function bar(at: number, x: number, y: number, width: number, height: number): Html {
  const [left, top, wide, high] = [x, y, width, height].map((length) => Math.round(length * 100) / 100)
  const place = html` x="${left}" y="${top}" width="${wide}" height="${high}"`
  const look = at % PATTERNS
  return html`<rect class="c${look}"${place}/>${look > 0 && html`<rect fill="url(#hatch-${look})"${place}/>`}`
}

const legend = (names: readonly string[]): Html =>
  html`<ul class="legend">${names.map(
    (name, at) =>
      html`<li><svg viewBox="0 0 12 12" aria-hidden="true">${bar(at, 0, 0, 12, 12)}</svg>${name}</li>`,
  )}</ul>`

export interface Bar {
  readonly name: string
  readonly value: number
  /** Said after the value. */
  readonly note?: string
}

/** A table whose rows carry a bar of their value's share of the largest one. */
export function bars(caption: string, rows: readonly Bar[]): Html {
  const highest = Math.max(1, ...rows.map(({ value }) => value))
  return html`<table class="bars"><caption>${caption}</caption><tbody>
${rows.map(
  ({ name, value, note }) => html`<tr><th scope="row">${breakable(name)}</th>
<td class="bar"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="c0" x="0" y="0" width="${Math.round((value / highest) * 1000) / 10}" height="8"/></svg></td>
<td class="number">${plain(value)}${note !== undefined && html` <small>${note}</small>`}</td></tr>
`,
)}</tbody></table>`
}

/** Our codes are long words; they may be broken behind an underscore. */
const breakable = (name: string) =>
  name.split('_').map((part, index) => (index === 0 ? html`${part}` : html`_<wbr>${part}`))
