import { type Html, html } from '../../../../http/body/html.ts'

export interface DaySeries {
  readonly name: string
  /** One value per day, in the order of the chart's days. */
  readonly values: readonly bigint[]
}

export interface DayChart {
  readonly title: string
  /** YYYY-MM-DD, oldest first. */
  readonly days: readonly string[]
  /** Stacked from the bottom up in this order; each has a colour and a pattern of its own. */
  readonly series: readonly DaySeries[]
  readonly format: (value: bigint) => string
}

const WIDTH = 360
const HEIGHT = 150
const TOP = 14
const BOTTOM = 18
const PLOT = HEIGHT - TOP - BOTTOM
const PATTERNS = 6

/** Stacked bars, one for each day, with the same numbers as a table below. */
export function dayChart({ title, days, series, format }: DayChart): Html {
  const total = (day: number) => series.reduce((sum, { values }) => sum + (values[day] ?? 0n), 0n)
  const totals = days.map((_, day) => total(day))
  const highest = totals.reduce((most, value) => (value > most ? value : most), 0n)
  const step = WIDTH / days.length
  const gap = Math.min(2, step / 4)
  const bars = days.map((day, index) => {
    let base = HEIGHT - BOTTOM
    const parts = series.map(({ values }, at) => {
      const height = scaled(values[index] ?? 0n, highest)
      base -= height
      return height === 0 ? html`` : bar(at, index * step, base, step - gap, height)
    })
    return html`<g><title>${day}: ${format(totals[index] ?? 0n)}</title>${parts}</g>`
  })
  return html`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
<line class="axis" x1="0" x2="${WIDTH}" y1="${HEIGHT - BOTTOM}" y2="${HEIGHT - BOTTOM}"/>
<line class="grid" x1="0" x2="${WIDTH}" y1="${TOP}" y2="${TOP}"/>
<text x="0" y="${TOP - 4}">${format(highest)}</text>
${bars}
<text x="0" y="${HEIGHT - 5}">${days[0] ?? ''}</text>
<text x="${WIDTH}" y="${HEIGHT - 5}" class="end">${days.at(-1) ?? ''}</text>
</svg>${series.length > 1 && legend(series)}${asTable({ title, days, series, format })}</figure>`
}

/** Hatches that tell series apart without colour; placed once in the page. */
export const chartPatterns =
  (): Html => html`<svg class="patterns" aria-hidden="true" focusable="false"><defs>
<pattern id="hatch-1" width="4" height="4" patternUnits="userSpaceOnUse"><path class="hatch" d="M0 4 4 0"/></pattern>
<pattern id="hatch-2" width="4" height="4" patternUnits="userSpaceOnUse"><circle class="dots" cx="2" cy="2" r="1"/></pattern>
<pattern id="hatch-3" width="4" height="4" patternUnits="userSpaceOnUse"><path class="hatch" d="M0 2h4"/></pattern>
<pattern id="hatch-4" width="4" height="4" patternUnits="userSpaceOnUse"><path class="hatch" d="M0 0 4 4"/></pattern>
<pattern id="hatch-5" width="4" height="4" patternUnits="userSpaceOnUse"><path class="hatch" d="M2 0v4"/></pattern>
</defs></svg>`

function bar(at: number, x: number, y: number, width: number, height: number): Html {
  const place = html` x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`
  const look = at % PATTERNS
  return html`<rect class="c${look}"${place}/>${look > 0 && html`<rect fill="url(#hatch-${look})"${place}/>`}`
}

const legend = (series: readonly DaySeries[]): Html =>
  html`<ul class="legend">${series.map(
    ({ name }, at) =>
      html`<li><svg viewBox="0 0 12 12" aria-hidden="true">${bar(at, 0, 0, 12, 12)}</svg>${name}</li>`,
  )}</ul>`

const asTable = ({ title, days, series, format }: DayChart): Html =>
  html`<details><summary>As a table</summary><div class="scroll" tabindex="0" role="region" aria-label="${`Table: ${title}`}"><table><thead><tr><th scope="col">Day</th>${series.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>
${days
  .map((day, index) => ({ day, values: series.map(({ values }) => values[index] ?? 0n) }))
  .toReversed()
  .map(
    ({ day, values }) =>
      html`<tr><th scope="row">${day}</th>${values.map((value) => html`<td>${format(value)}</td>`)}</tr>
`,
  )}</tbody></table></div></details>`

/** The share of the plot a value takes; the figures themselves stay whole numbers. */
const scaled = (value: bigint, highest: bigint): number =>
  highest === 0n ? 0 : Number((value * BigInt(PLOT * 100)) / highest) / 100

const round = (value: number) => Math.round(value * 100) / 100
