/** The status page's 90 bars, one for each day, and the same days as a table. */

import type { ServiceDay } from '../../../ledger/figures/service-history.ts'
import { groupDigits } from '../../../payments/networks/usdc.ts'
import { type Html, html } from '../../../values/html.ts'
import type { History } from '../status/history.ts'

const WIDTH = 720
const HEIGHT = 36

export function historySection({ days, lastSaleHour, incidents }: History): Html {
  const known = days.flatMap(({ day, counts }) => (counts === null ? [] : [{ day, counts }]))
  const sum = (name: keyof ServiceDay) => known.reduce((total, { counts }) => total + (counts[name] ?? 0), 0)
  const [answered, failed] = [sum('answered'), sum('failed')]
  const step = WIDTH / days.length
  return html`<section aria-labelledby="history"><h2 id="history">The last ${days.length} days</h2>
<p>${answered + failed === 0 ? 'No call was paid yet.' : html`<strong>${share(answered, answered + failed)}</strong> of ${groupDigits(answered + failed)} paid calls answered; ${share(sum('within_250_ms') + sum('within_1_s'), answered)} of the answers within a second.`}</p>
<svg class="days" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Paid calls answered, by day; the table below has the figures">
${days.map(({ day, counts }, at) => html`<rect class="${levelOf(counts)}" x="${at * step}" y="0" width="${step - 2}" height="${HEIGHT}"><title>${day}: ${sentence(counts)}</title></rect>`)}
</svg>
<details><summary>As a table</summary><div class="table" tabindex="0" role="region" aria-label="Paid calls by day"><table><thead><tr><th scope="col">Day (UTC)</th><th scope="col">Paid calls</th><th scope="col">Answered</th><th scope="col">Minutes up</th></tr></thead><tbody>
${known.toReversed().map(({ day, counts }) => html`<tr><th scope="row">${day}</th><td>${callsOf(counts)}</td><td>${counts.answered ?? 0}</td><td>${minutesOf(counts)}</td></tr>`)}
</tbody></table></div></details>
<p>${lastSaleHour === null ? 'No sale in this time.' : html`Last sale: <time datetime="${lastSaleHour}:00Z">${hourOf(lastSaleHour, days.at(-1)?.day)}</time>.`}</p>
${incidents.length > 0 && html`<h3>Incidents</h3><ul>${incidents.map((incident) => html`<li>${incident}</li>`)}</ul>`}
</section>`
}

/** "today, 18:00-19:00 UTC"; the day where it was not today. */
function hourOf(lastSaleHour: string, today: string | undefined): string {
  const [day = '', hour = ''] = lastSaleHour.split('T')
  const next = String((Number(hour) + 1) % 24).padStart(2, '0')
  return `${day === today ? 'today' : day}, ${hour}:00-${next}:00 UTC`
}

const callsOf = ({ answered = 0, failed = 0 }: ServiceDay): number => answered + failed

const MOST_MINUTES = 1_440

/** A replica that restarts may count a minute a second time. */
const minutesOf = ({ minutes = 0 }: ServiceDay): number => Math.min(minutes, MOST_MINUTES)

/** Green from 99.9 % on, amber from 99 %; a day without calls by whether a replica was up. */
function levelOf(counts: ServiceDay | null): string {
  if (counts === null) return 'none'
  const calls = callsOf(counts)
  if (calls === 0) return (counts.minutes ?? 0) > 0 ? 'good' : 'bad'
  const answered = (counts.answered ?? 0) / calls
  if (answered >= 0.999) return 'good'
  return answered >= 0.99 ? 'fair' : 'bad'
}

function sentence(counts: ServiceDay | null): string {
  if (counts === null) return 'not counted yet'
  const up = `up for ${minutesOf(counts)} minutes`
  const calls = callsOf(counts)
  return calls === 0
    ? `no paid call, ${up}`
    : `${share(counts.answered ?? 0, calls)} of ${groupDigits(calls)} paid calls answered, ${up}`
}

/** Rounded down, so that 100 % means all. */
const share = (part: number, whole: number): string =>
  whole === 0 ? '0 %' : `${Math.floor((part / whole) * 10_000) / 100} %`
