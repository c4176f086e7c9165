import { type Html, html } from '../../../values/html.ts'
import type { Layout } from '../layout.ts'
import type { PageContext } from '../page-context.ts'
import { DOCS_ASSETS, docsNavigation } from './docs-navigation.ts'
import { type Guide, guidePath, guideSummary, guideTitle } from './guide.ts'
import { groupGuides } from './guide-groups.ts'

export function docsHome(context: PageContext, guides: readonly Guide[], layout: Layout): string {
  const groups = groupGuides(guides)
  return layout({
    title: `Documents - ${context.listing.service}`,
    description: `How to call ${context.listing.service}, how a call is paid, and what is kept: every document on one page.`,
    path: '/docs',
    assets: DOCS_ASSETS,
    main: html`<div class="docs wrap">
${docsNavigation(groups)}
<article class="prose docs-home">
<h1>Documents</h1>
<p class="lead">Everything a person, a program or an agent needs to buy a check, and everything an operator needs to sell one.</p>
${groups.map(
  ({ title, guides }) => html`<section aria-labelledby="${slug(title)}">
<h2 id="${slug(title)}">${title}</h2>
<ul class="cards">${guides.map(card)}</ul>
</section>`,
)}
<section aria-labelledby="machine-readable">
<h2 id="machine-readable">For programs and agents</h2>
<p><a href="/llms.txt">llms.txt</a> lists every description of this service: <a href="/openapi.json">OpenAPI</a>, <a href="/.well-known/agent-card.json">agent card</a>, <a href="/.well-known/mcp/server-card.json">MCP card</a>, terms and keys. Every document is also Markdown: add <code>.md</code> to its address, or send <code>Accept: text/markdown</code>.</p>
</section>
</article>
</div>`,
  })
}

const card = (guide: Guide): Html =>
  html`<li><a class="card" href="${guidePath(guide)}"><h3>${guideTitle(guide)}</h3><p>${guideSummary(guide)}</p></a></li>`

const slug = (title: string): string => title.toLowerCase().replaceAll(' ', '-')
