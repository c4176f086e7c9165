/** How long buyers and the facilitator take, as this process has seen it. */
import { type Html, html } from '../../../../http/body/html.ts'
import { bars } from '../charts/bars.ts'
import type { Figures, Percentile } from '../figures/figures.ts'
import { plain } from '../numbers.ts'

/** What this process has seen of the facilitator. */
export function facilitatorSection({ settlements }: Figures): Html {
  const { counts, latencyMs } = settlements
  const latency =
    latencyMs === null
      ? html`<p>No settlement since this process started.</p>`
      : html`<p>Latency of the last settlements: median ${ms(latencyMs.median)}, 95 % under ${ms(latencyMs.p95)}, slowest ${ms(latencyMs.slowest)}.</p>`
  return html`${bars('Settlements since this process started', [
    { name: 'settled', value: counts.settled },
    { name: 'refused', value: counts.refused },
    { name: 'doubtful', value: counts.doubtful },
    { name: 'not sent', value: counts.not_sent },
  ])}${latency}`
}

/** How long buyers wait, by percentile. */
export function latencySection({ latency: rows }: Figures): Html {
  if (rows.length === 0) return html`<p>No call since this process started.</p>`
  const cell = ({ ms: value, isMore }: Percentile) => html`<td>${isMore && 'over '}${ms(value)}</td>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Latency by percentile"><table><thead><tr><th scope="col">Since this process started</th><th scope="col">calls</th><th scope="col">median</th><th scope="col">95 % under</th><th scope="col">99 % under</th></tr></thead><tbody>
${rows.map(({ name, calls, median, p95, p99 }) => html`<tr><th scope="row">${name}</th><td>${plain(calls)}</td>${cell(median)}${cell(p95)}${cell(p99)}</tr>`)}
</tbody></table></div>`
}

const ms = (value: number) => `${plain(Math.round(value))} ms`
