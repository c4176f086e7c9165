/** What this process has seen since it started: how long buyers and the facilitator take. */
import { type Html, html } from '../../../../http/body/html.ts'
import { bars } from '../charts.ts'
import type { Figures, Percentile } from '../figures/figures.ts'
import { plain } from '../numbers.ts'
import { table } from '../tables.ts'

export function facilitatorSection({ settlements: { counts, latencyMs } }: Figures): Html {
  return html`${bars('Settlements since this process started', [
    { name: 'settled', value: counts.settled },
    { name: 'refused', value: counts.refused },
    { name: 'doubtful', value: counts.doubtful },
    { name: 'not sent', value: counts.not_sent },
  ])}<p>${
    latencyMs === null
      ? 'No settlement since this process started.'
      : `Latency of the last settlements: median ${ms(latencyMs.median)}, 95 % under ${ms(latencyMs.p95)}, slowest ${ms(latencyMs.slowest)}.`
  }</p>`
}

/** How long buyers wait, by percentile. */
export function latencySection({ latency }: Figures): Html {
  if (latency.length === 0) return html`<p>No call since this process started.</p>`
  const cell = ({ ms: value, isMore }: Percentile) => `${isMore ? 'over ' : ''}${ms(value)}`
  return table(
    'Latency by percentile',
    ['Since this process started', 'calls', 'median', '95 % under', '99 % under'],
    latency.map(({ name, calls, median, p95, p99 }) => [
      name,
      plain(calls),
      cell(median),
      cell(p95),
      cell(p99),
    ]),
  )
}

const ms = (value: number) => `${plain(Math.round(value))} ms`
