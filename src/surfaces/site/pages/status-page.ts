/** `/status`: the members of `/status.json` in words, as they are at the time of the request. */

import type { Source } from '../../../catalog/skill.ts'
import { type Html, html } from '../../../values/html.ts'
import type { Layout } from '../layout.ts'
import { checkPath, type PageContext } from '../page-context.ts'
import { type Status, TROUBLES } from '../status/status.ts'

const STATES = {
  ok: ['Paid calls work', 'Checks can be bought on every interface.'],
  degraded: [
    'Paid calls work, with a warning',
    'Checks can be bought. Something needs the operator’s attention.',
  ],
  paused: [
    'Paid calls are paused',
    'No new payment is taken at the moment. Calls over an open payment channel may go on. Free addresses work.',
  ],
} as const

export function statusPage(context: PageContext, status: Status, layout: Layout): string {
  const { state, reasons } = status.payments
  const { supportUrl } = context.operator
  const [title, text] = STATES[state]
  return layout({
    title: `Status - ${context.listing.service}`,
    description: 'Whether checks can be bought at the moment, and which rules decide.',
    path: '/status',
    assets: ['reading.css'],
    main: html`<div class="wrap page">
<h1>Status</h1>
<section class="state is-${state}" aria-label="State">
<h2><span class="dot ${state}" aria-hidden="true"></span>${title}</h2>
<p>${text}</p>
${reasons.length > 0 && html`<ul>${reasons.map((reason) => html`<li>${TROUBLES[reason][1]} <code>${reason}</code></li>`)}</ul>`}
</section>
<dl class="facts">
<div><dt>Version</dt><dd>${status.version}</dd></div>
<div><dt>This process</dt><dd>up for ${duration(status.uptimeSeconds)}</dd></div>
</dl>
<section aria-labelledby="rulesets"><h2 id="rulesets">Rulesets</h2>
<p>The rules each check uses and the editions in force; every result names the ruleset in <code>details.ruleset</code>.</p>
<div class="table" tabindex="0" role="region" aria-label="Ruleset and sources of each check"><table class="stacked"><thead><tr><th scope="col">Check</th><th scope="col">Ruleset</th><th scope="col">Sources in force</th></tr></thead><tbody>
${rulesetRows(context, status)}
</tbody></table></div>
</section>
<p><a href="/status">Refresh</a> · <a href="/status.json">as JSON</a>${supportUrl !== null && html` · <a href="${supportUrl}">support</a>`}</p>
</div>`,
  })
}

const rulesetRows = ({ skills }: PageContext, { rulesets }: Status): readonly Html[] =>
  skills.all.map(
    (skill) =>
      html`<tr><th scope="row"><a href="${checkPath(skill)}">${skill.title}</a></th><td><code>${rulesets[skill.id] ?? ''}</code></td><td><ul class="sources">${skill.sources.map(sourceItem)}</ul></td></tr>`,
  )

const sourceItem = ({ title, url, edition, date, decides }: Source): Html =>
  html`<li><a href="${url}" rel="noreferrer">${title}</a>, ${edition} <time datetime="${date}">${date}</time>: ${decides}</li>`

function duration(seconds: number): string {
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ]
  if (days > 0) return `${days} d ${hours} h`
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`
}
