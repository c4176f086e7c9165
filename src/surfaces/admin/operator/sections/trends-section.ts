/** How sales, revenue, conversion, failures and settlement times went, day by day. */
import { type Html, html } from '../../../../http/body/html.ts'
import type { Count } from '../../../../ledger/operator-figures.ts'
import { daysUpTo } from '../../../../ledger/utc-days.ts'
import { dayChart } from '../charts/day-chart.ts'
import type { Figures } from '../figures/figures.ts'
import { isAttempt } from '../figures/funnel.ts'
import { isWithin, type ViewRange } from '../figures/view-range.ts'
import { plain } from '../numbers.ts'
import { shown } from '../shown.ts'
import { formatUsd } from '../usd.ts'

export function trendsSection(figures: Figures, range: ViewRange): Html {
  const days = daysUpTo(figures.at, range.days)
  return html`<div class="charts">${salesCharts(figures, range, days)}${countCharts(figures, range, days)}${slowChart(figures, days)}</div>`
}

const salesCharts = ({ revenue }: Figures, range: ViewRange, days: readonly string[]): Html =>
  shown(revenue, (cells) => {
    const recent = cells.filter((cell) => !cell.own && isWithin(range, cell) && days.includes(cell.day))
    const types = [...new Set(recent.map(({ checkType }) => checkType))].toSorted()
    const series = types.map((name) => ({
      name,
      values: days.map((day) =>
        recent
          .filter((cell) => cell.day === day && cell.checkType === name)
          .reduce((sum, { sales }) => sum + BigInt(sales), 0n),
      ),
    }))
    const revenue = days.map((day) =>
      recent.filter((cell) => cell.day === day).reduce((sum, cell) => sum + cell.revenue, 0n),
    )
    return html`${dayChart({ title: 'Sales by day and check', days, series, format: plain })}${dayChart({ title: 'Revenue by day', days, series: [{ name: 'revenue', values: revenue }], format: formatUsd })}`
  })

const countCharts = ({ counts }: Figures, range: ViewRange, days: readonly string[]): Html =>
  shown(counts, (all) => {
    const cells = all.filter((cell) => isWithin(range, cell))
    const perDay = (belongs: (cell: Count) => boolean) =>
      days.map((day) =>
        cells
          .filter((cell) => cell.day === day && belongs(cell))
          .reduce((sum, { count }) => sum + BigInt(count), 0n),
      )
    const sold = perDay(({ outcome }) => outcome === 'sold')
    const quoted = perDay(({ outcome }) => outcome === 'payment_required')
    const failed = perDay(({ outcome }) => isAttempt(outcome) && outcome !== 'sold')
    const conversion = days.map((_, at) => perMille(sold[at] ?? 0n, (quoted[at] ?? 0n) || (sold[at] ?? 0n)))
    return html`${dayChart({ title: 'Conversion by day: sales of each 100 quotes', days, series: [{ name: 'conversion', values: conversion }], format: percent })}${dayChart({ title: 'Failed payments by day', days, series: [{ name: 'failed', values: failed }], format: plain })}`
  })

const slowChart = ({ payers }: Figures, days: readonly string[]): Html =>
  shown(payers, (all) => {
    const byDay = new Map(all.map(({ day, items }) => [day, items]))
    const share = days.map((day) => {
      const items = byDay.get(day) ?? []
      const slow = items.reduce((sum, each) => sum + each.slow, 0)
      const sales = items.reduce((sum, each) => sum + each.sales, 0)
      return perMille(BigInt(slow), BigInt(sales))
    })
    return dayChart({
      title: 'Sales that took over 5 s to settle, by day',
      days,
      series: [{ name: 'slow', values: share }],
      format: percent,
    })
  })

const perMille = (part: bigint, whole: bigint): bigint => (whole === 0n ? 0n : (part * 1000n) / whole)
const percent = (value: bigint): string => `${Number(value) / 10} %`
