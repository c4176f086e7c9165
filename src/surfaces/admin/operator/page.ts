import { type Html, html } from '../../../http/body/html.ts'
import { channelTiles } from './channels/channel-tiles.ts'
import { chartPatterns } from './charts/day-chart.ts'
import { operatorDocument } from './document.ts'
import type { Figures } from './figures/figures.ts'
import { findProblems, type Problem } from './figures/problems.ts'
import { queryOf, type ViewRange } from './figures/view-range.ts'
import { rangeLinks } from './range-links.ts'
import { attentionSection } from './sections/attention-section.ts'
import { funnelSection } from './sections/funnel-section.ts'
import { facilitatorSection, latencySection } from './sections/latency-sections.ts'
import { payersSection } from './sections/payers-section.ts'
import { revenueSection, salesSection } from './sections/revenue-section.ts'
import { trendsSection } from './sections/trends-section.ts'

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
    nav: html`<a href="${queryOf(range)}">Read again</a> <a href="${CSV_PATH}?days=${range.days}">Sales as CSV</a> <a href="/metrics">Metrics</a> <a href="${baseUrl}/docs/operations#alerts" rel="noreferrer">Alerts</a> <a href="${baseUrl}/docs/operations#incidents" rel="noreferrer">Runbook</a>`,
    main: html`${verdict(findProblems(figures), context)}
<ul class="health">${[
      light('service', health.ready, 'ready', 'not ready'),
      light('node', health.chainUp, 'answers', 'does not answer: money is paused'),
      light('store', figures.backlog.kind === 'read', 'answers', 'does not answer'),
      html`<li>version ${version}</li><li>up since ${moment(health.startedAt)}</li><li>read ${moment(at)}</li>`,
    ]}</ul>
${rangeLinks(figures, range)}
${section('Revenue', revenueSection(figures, range))}
${section('To do', attentionSection(figures))}
${section(`Trends, ${span}`, trendsSection(figures, range))}
${section(`Sales, ${span}`, salesSection(figures, range))}
${section(`Funnel, ${span}`, funnelSection(figures, range))}
${section(`Payers, ${span}`, payersSection(figures, range))}
${figures.channels !== null && section('Payment channels', channelTiles(figures.channels))}
${section('Latency', latencySection(figures))}
${section('Facilitator', facilitatorSection(figures))}`,
  })
}

/** The one thing to look at: all is well, or what is wrong and the section of docs/operations.md that speaks of it. */
function verdict(problems: readonly Problem[], { baseUrl }: OperatorPageContext): Html {
  const [first] = problems
  if (first === undefined)
    return html`<section class="verdict is-ok" aria-label="State"><p><strong>All is well.</strong> No payment waits for you.</p></section>`
  return html`<section class="verdict is-${first.level}" aria-label="State">
<p><strong>${first.level === 'act' ? 'Act now' : 'Look at this today'}</strong></p>
<ul>${problems.map(({ level, text, section }) => html`<li class="${level}">${text} <a href="${baseUrl}/docs/operations#${section}" rel="noreferrer">What to do</a></li>`)}</ul>
</section>`
}

const section = (title: string, content: Html) => html`<section><h2>${title}</h2>${content}</section>`

const light = (name: string, good: boolean, yes: string, no: string) =>
  html`<li class="${good ? 'good' : 'bad'}">${name}: ${good ? yes : no}</li>`

const moment = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
