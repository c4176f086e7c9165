import { type Html, html } from '../../../http/body/html.ts'
import type { Figures } from './figures.ts'
import * as sections from './sections.ts'

export interface PageFacts {
  readonly version: string
  readonly sandbox: boolean
}

export const STYLE_PATH = '/operator.css'

/** The operator's view as a whole document: no script, and its style a file of its own. */
export function operatorPage(figures: Figures, { version, sandbox }: PageFacts): string {
  const { at, health } = figures
  const badge = sandbox ? html` <span class="badge">SANDBOX, no real money</span>` : html``
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Format Checker: operator</title>
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<header><h1>Format Checker: operator${badge}</h1>
<p>Version ${version}, as of ${moment(at)}. Days are UTC. <a href="/">Read again</a> · <a href="/metrics">Metrics</a></p>
<ul class="health">${[
    light('service', health.ready, 'ready', 'not ready'),
    light('node', health.chainUp, 'answers', 'does not answer: money is paused'),
    light('store', figures.standing.kind === 'read', 'answers', 'does not answer'),
    html`<li>up since ${moment(health.startedAt)}</li>`,
  ]}</ul></header>
<main>
${section('Revenue', sections.money(figures))}
${section('Sales of 30 days', sections.sales(figures))}
${section('Funnel of 30 days', sections.funnel(figures))}
${section('Doubt and audit', sections.doubt(figures))}
${section('Facilitator', sections.facilitator(figures))}
</main>
</body>
</html>
`.markup
}

const section = (title: string, content: Html) => html`<section><h2>${title}</h2>${content}</section>`

const light = (name: string, good: boolean, yes: string, no: string) =>
  html`<li class="${good ? 'good' : 'bad'}">${name}: ${good ? yes : no}</li>`

const moment = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
