import { type Html, html } from '../../../values/html.ts'
import { PATHS } from '../../call/paths.ts'
import type { Figures } from './figures/figures.ts'
import { findProblems, type Problem } from './figures/problems.ts'
import { DAY_CHOICES, viewOf } from './figures/view-range.ts'
import { accountSection } from './sections/account-section.ts'
import { channelsSection } from './sections/channels-section.ts'
import { funnelSection } from './sections/funnel-section.ts'
import { payersSection, revenueSection, trendsSection } from './sections/sales-sections.ts'
import { stuckSection } from './sections/stuck-section.ts'

export interface OperatorPageContext {
  readonly version: string
  readonly sandbox: boolean
  readonly baseUrl: string
}

export const CSV_PATH = '/sales.csv'
export const STYLE_PATH = '/operator.css'

/** Without scripts. */
export function operatorPage(figures: Figures, context: OperatorPageContext, days: number): string {
  const { at, health } = figures
  const { version, sandbox, baseUrl } = context
  const account = accountSection(figures, days)
  const span = days === 1 ? 'today' : `${days} days`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Format Checker: operator</title>
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<header><h1>Format Checker <span>operator</span>${sandbox && html` <span class="badge">no real money</span>`}</h1>
<nav aria-label="Operator"><a href="${viewOf(days)}">Refresh</a> <a href="${CSV_PATH}?days=${days}">Sales as CSV</a> <a href="/metrics">Metrics</a> <a href="${baseUrl}${PATHS.docs}/operations#alerts" rel="noreferrer">Alerts</a> <a href="${baseUrl}${PATHS.docs}/runbook" rel="noreferrer">Runbook</a></nav></header>
<main>
${verdict(findProblems(figures), context)}
<ul class="health">${[
    light('service', health.ready, 'ready', 'not ready'),
    light('node', health.chainUp, 'answers', 'does not answer: payments are paused'),
    light('store', figures.backlog.status === 'fulfilled', 'answers', 'does not answer'),
    html`<li>version ${version}</li><li>up since ${moment(health.startedAt)}</li><li>read ${moment(at)}</li>`,
  ]}</ul>
${section('Stuck payments', stuckSection(figures))}
${rangeLinks(days)}
${section('Revenue', revenueSection(figures))}
${section(`Trends, ${span}`, trendsSection(figures, days))}
${account !== null && section(`Income and cost, ${span}`, account)}
${section(`Payers, ${span}`, payersSection(figures, days))}
${section(`Funnel, ${span}`, funnelSection(figures, days))}
${figures.channels !== null && section('Payment channels', channelsSection(figures.channels))}
</main>
</body>
</html>
`.markup
}

function verdict(problems: readonly Problem[], { baseUrl }: OperatorPageContext): Html {
  const [first] = problems
  if (first === undefined)
    return html`<section class="verdict is-ok" aria-label="State"><p><strong>All is well.</strong> No payment needs you.</p></section>`
  return html`<section class="verdict is-${first.level}" aria-label="State">
<p><strong>${first.level === 'act' ? 'Act now' : 'Look at this today'}</strong></p>
<ul>${problems.map(({ level, text, section }) => html`<li class="${level}">${text} <a href="${baseUrl}${PATHS.docs}/operations#${section}" rel="noreferrer">What to do</a></li>`)}</ul>
</section>`
}

const rangeLinks = (shown: number): Html =>
  html`<nav class="ranges" aria-label="Range">
${DAY_CHOICES.map((days) => html`<a href="${viewOf(days)}"${shown === days && html` aria-current="true"`}>${days === 1 ? 'Today' : `${days} days`}</a>`)}
</nav>`

const section = (title: string, content: Html) => html`<section><h2>${title}</h2>${content}</section>`

const light = (name: string, good: boolean, yes: string, no: string) =>
  html`<li class="${good ? 'good' : 'bad'}">${name}: ${good ? yes : no}</li>`

const moment = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
