import { type Html, html } from '../../../http/body/html.ts'

export interface DaySeries {
  readonly name: string
  /** One value per day, in the order of the chart's days. */
  readonly values: readonly bigint[]
}

export interface DayChart {
  /** What the chart shows, for those who cannot see it. */
  readonly label: string
  /** YYYY-MM-DD, oldest first. */
  readonly days: readonly string[]
  /** Stacked from the bottom up in this order; the nth is drawn in the nth colour. */
  readonly series: readonly DaySeries[]
  readonly format: (value: bigint) => string
}

const WIDTH = 360
const HEIGHT = 150
const TOP = 14
const BOTTOM = 18
const PLOT = HEIGHT - TOP - BOTTOM
const GAP = 2

/** Stacked bars, one per day, in a coordinate system that is as wide as a phone. */
export function dayChart({ label, days, series, format }: DayChart): Html {
  const total = (day: number) => series.reduce((sum, { values }) => sum + (values[day] ?? 0n), 0n)
  const totals = days.map((_, day) => total(day))
  const highest = totals.reduce((most, value) => (value > most ? value : most), 0n)
  const step = WIDTH / days.length
  const bars = days.map((day, index) => {
    let base = HEIGHT - BOTTOM
    const parts = series.map(({ values }, colour) => {
      const height = scaled(values[index] ?? 0n, highest)
      base -= height
      return height === 0
        ? html``
        : html`<rect class="c${colour}" x="${round(index * step)}" y="${round(base)}" width="${round(step - GAP)}" height="${round(height)}"/>`
    })
    return html`<g><title>${day}: ${format(totals[index] ?? 0n)}</title>${parts}</g>`
  })
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
<line class="axis" x1="0" x2="${WIDTH}" y1="${HEIGHT - BOTTOM}" y2="${HEIGHT - BOTTOM}"/>
<line class="grid" x1="0" x2="${WIDTH}" y1="${TOP}" y2="${TOP}"/>
<text x="0" y="${TOP - 4}">${format(highest)}</text>
${bars}
<text x="0" y="${HEIGHT - 5}">${days[0] ?? ''}</text>
<text x="${WIDTH}" y="${HEIGHT - 5}" class="end">${days.at(-1) ?? ''}</text>
</svg>`
}

/** The share of the plot a value takes; the figures themselves stay whole numbers. */
const scaled = (value: bigint, highest: bigint): number =>
  highest === 0n ? 0 : Number((value * BigInt(PLOT * 100)) / highest) / 100

const round = (value: number) => Math.round(value * 100) / 100
