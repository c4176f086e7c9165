import { type Html, html } from '../../../http/body/html.ts'
import { chartPatterns } from './charts.ts'
import { operatorDocument } from './document.ts'
import type { Figures } from './figures/figures.ts'
import { findProblems, type Problem } from './figures/problems.ts'
import { DAY_CHOICES, queryOf, type ViewRange } from './figures/view-range.ts'
import { channelsSection } from './sections/channels-section.ts'
import { funnelSection } from './sections/funnel-section.ts'
import { facilitatorSection, latencySection } from './sections/process-sections.ts'
import { payersSection, revenueSection, soldSection, trendsSection } from './sections/sales-sections.ts'
import { stuckSection } from './sections/stuck-section.ts'

export interface OperatorPageContext {
  readonly version: string
  readonly sandbox: boolean
  /** Public address of the service, where its documents are published. */
  readonly baseUrl: string
}

export const CSV_PATH = '/sales.csv'

/** The operator's view as a whole document. */
export function operatorPage(figures: Figures, context: OperatorPageContext, range: ViewRange): string {
  const { at, health } = figures
  const { version, sandbox, baseUrl } = context
  const span = range.days === 1 ? 'today' : `${range.days} days`
  return operatorDocument({
    sandbox,
    first: chartPatterns(),
    nav: html`<a href="${queryOf(range)}">Refresh</a> <a href="${CSV_PATH}?days=${range.days}">Sales as CSV</a> <a href="/metrics">Metrics</a> <a href="${baseUrl}/docs/operations#alerts" rel="noreferrer">Alerts</a> <a href="${baseUrl}/docs/operations#incidents" rel="noreferrer">Runbook</a>`,
    main: html`${verdict(findProblems(figures), context)}
<ul class="health">${[
      light('service', health.ready, 'ready', 'not ready'),
      light('node', health.chainUp, 'answers', 'does not answer: payments are paused'),
      light('store', figures.backlog.kind === 'read', 'answers', 'does not answer'),
      html`<li>version ${version}</li><li>up since ${moment(health.startedAt)}</li><li>read ${moment(at)}</li>`,
    ]}</ul>
${section('Stuck payments', stuckSection(figures))}
${rangeLinks(figures, range)}
${section('Revenue', revenueSection(figures, range))}
${section(`Trends, ${span}`, trendsSection(figures, range))}
${section(`Sold, ${span}`, soldSection(figures, range))}
${section(`Payers, ${span}`, payersSection(figures, range))}
${section(`Funnel, ${span}`, funnelSection(figures, range))}
${figures.channels !== null && section('Payment channels', channelsSection(figures.channels))}
${section('Latency', latencySection(figures))}
${section('Facilitator', facilitatorSection(figures))}`,
  })
}

/** The one thing to look at: all is well, or what is wrong and the section of docs/operations.md that speaks of it. */
function verdict(problems: readonly Problem[], { baseUrl }: OperatorPageContext): Html {
  const [first] = problems
  if (first === undefined)
    return html`<section class="verdict is-ok" aria-label="State"><p><strong>All is well.</strong> No payment needs you.</p></section>`
  return html`<section class="verdict is-${first.level}" aria-label="State">
<p><strong>${first.level === 'act' ? 'Act now' : 'Look at this today'}</strong></p>
<ul>${problems.map(({ level, text, section }) => html`<li class="${level}">${text} <a href="${baseUrl}/docs/operations#${section}" rel="noreferrer">What to do</a></li>`)}</ul>
</section>`
}

/** Links to the other ranges; types and surfaces are those of the books. */
function rangeLinks({ sales }: Figures, range: ViewRange): Html {
  const known = (name: 'checkType' | 'surface') =>
    [...new Set((sales.kind === 'read' ? sales.value : []).map((cell) => cell[name]))].toSorted()
  const choice = (words: string, target: ViewRange, chosen: boolean): Html =>
    html`<a href="${queryOf(target)}"${chosen && html` aria-current="true"`}>${words}</a>`
  return html`<nav class="ranges" aria-label="Range and filters">
<p><span>Time</span> ${DAY_CHOICES.map((days) => choice(days === 1 ? 'Today' : `${days} days`, { ...range, days }, range.days === days))}</p>
<p><span>Check</span> ${choice('All', { ...range, type: null }, range.type === null)}${known('checkType').map((type) => choice(type, { ...range, type }, range.type === type))}</p>
<p><span>Surface</span> ${choice('All', { ...range, surface: null }, range.surface === null)}${known('surface').map((surface) => choice(surface, { ...range, surface }, range.surface === surface))}</p>
</nav>`
}

const section = (title: string, content: Html) => html`<section><h2>${title}</h2>${content}</section>`

const light = (name: string, good: boolean, yes: string, no: string) =>
  html`<li class="${good ? 'good' : 'bad'}">${name}: ${good ? yes : no}</li>`

const moment = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
