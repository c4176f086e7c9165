import { groupDigits } from '../../../payments/networks/usdc.ts'
import { type Html, html } from '../../../values/html.ts'
import { table } from './tables.ts'

export interface DayChart {
  readonly title: string
  /** YYYY-MM-DD, oldest first. */
  readonly days: readonly string[]
  readonly values: readonly bigint[]
  readonly format: (value: bigint) => string
}

const WIDTH = 360
const HEIGHT = 150
const TOP = 14
const BASE = HEIGHT - 18

export function dayChart({ title, days, values, format }: DayChart): Html {
  const highest = values.reduce((most, value) => (value > most ? value : most), 0n)
  const step = WIDTH / days.length
  const width = step - Math.min(2, step / 4)
  const rows = days.map((day, index) => [day, format(values[index] ?? 0n)])
  const bars = rows.map(([day, words], index) => {
    const height = highest === 0n ? 0 : (Number(values[index] ?? 0n) / Number(highest)) * (BASE - TOP)
    const [left, top, wide, high] = [index * step, BASE - height, width, height].map(rounded)
    return html`<g><title>${day}: ${words}</title>${height > 0 && html`<rect class="bar" x="${left}" y="${top}" width="${wide}" height="${high}"/>`}</g>`
  })
  return html`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
<line class="axis" x1="0" x2="${WIDTH}" y1="${BASE}" y2="${BASE}"/>
<line class="grid" x1="0" x2="${WIDTH}" y1="${TOP}" y2="${TOP}"/>
<text x="0" y="${TOP - 4}">${format(highest)}</text>
${bars}
<text x="0" y="${HEIGHT - 5}">${days[0]}</text>
<text x="${WIDTH}" y="${HEIGHT - 5}" class="end">${days.at(-1)}</text>
</svg>
<details><summary>As a table</summary>${table(`Table: ${title}`, ['Day', title], rows.toReversed())}</details></figure>`
}

const rounded = (length: number) => Math.round(length * 100) / 100

export interface Bar {
  readonly name: string
  readonly value: number
  readonly note?: string
}

/** A table whose rows carry a bar of their value's share of the largest one. */
export function bars(caption: string, rows: readonly Bar[]): Html {
  const highest = Math.max(1, ...rows.map(({ value }) => value))
  return html`<table class="bars"><caption>${caption}</caption><tbody>
${rows.map(
  ({ name, value, note }) => html`<tr><th scope="row">${breakable(name)}</th>
<td><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="bar" x="0" y="0" width="${Math.round((value / highest) * 1000) / 10}" height="8"/></svg></td>
<td class="number">${groupDigits(value)}${note !== undefined && html` <small>${note}</small>`}</td></tr>
`,
)}</tbody></table>`
}

/** Codes are long words; a line may break behind an underscore. */
const breakable = (name: string) =>
  name.split('_').map((part, index) => (index === 0 ? html`${part}` : html`_<wbr>${part}`))
