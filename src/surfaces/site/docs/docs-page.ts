import { type Html, html } from '../../../values/html.ts'
import { foldLongText } from '../fold.ts'
import type { Layout } from '../layout.ts'
import type { PageContext } from '../page-context.ts'
import { DOCS_ASSETS, docsNavigation } from './docs-navigation.ts'
import { docsPath, type Guide, guidePath, guideSummary, guideTitle } from './guide.ts'
import { groupGuides } from './guide-groups.ts'
import { renderGuide, type Section } from './render-guide.ts'

export function docsPage(
  context: PageContext,
  guide: Guide,
  guides: readonly Guide[],
  layout: Layout,
): string {
  const published = new Map(guides.map((each) => [each.name, guidePath(each)]))
  const { body, sections } = renderGuide(
    guide.markdown,
    (href) => resolveLink(href, guide, published),
    guide.charts,
  )
  const groups = groupGuides(guides)
  const order = groups.flatMap((group) => group.guides)
  const at = order.indexOf(guide)
  const group = groups.find(({ guides }) => guides.includes(guide))
  return layout({
    title: `${guideTitle(guide)} - ${context.listing.service}`,
    description: guideSummary(guide),
    path: guidePath(guide),
    assets: DOCS_ASSETS,
    main: html`<div class="docs wrap">
${docsNavigation(groups, guide)}
<article class="prose">
<p class="crumbs"><a href="/docs">Docs</a> <span aria-hidden="true">/</span> ${group?.title ?? 'Evidence'} <span aria-hidden="true">/</span> for ${guide.reader}</p>
<h1>${guideTitle(guide)}</h1>
${foldLongText(body)}
<nav class="turn" aria-label="Previous and next page">
${turnLink(order[at - 1], 'Previous')}${turnLink(at < 0 ? undefined : order[at + 1], 'Next')}
</nav>
<p class="as-markdown"><a href="${docsPath(guide)}.md">This page as Markdown</a></p>
</article>
${contents(sections)}
</div>`,
  })
}

const turnLink = (guide: Guide | undefined, word: string): Html =>
  guide === undefined
    ? html`<span></span>`
    : html`<a class="card" href="${guidePath(guide)}"><span>${word}</span> ${guideTitle(guide)}</a>`

function contents(sections: readonly Section[]): Html {
  const main = sections.filter(({ level }) => level === 2)
  if (main.length < 2) return html``
  return html`<nav class="contents" aria-label="On this page">
<p>On this page</p>
<ul>${main.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
</nav>`
}

/** Guides link to each other by their files; what lies elsewhere in the repository is not published. */
function resolveLink(
  href: string,
  { name: from }: Guide,
  published: ReadonlyMap<string, string>,
): string | null {
  if (/^(?:https?:|mailto:|#|\/)/.test(href)) return href
  const { pathname, hash: fragment } = new URL(href, `file:///docs/${from}`)
  if (/^\/docs\/evidence\/[\w-]+\.csv$/.test(pathname)) return pathname
  const [, file = ''] = /^\/(?:docs\/)?([\w/-]+)\.md$/.exec(pathname) ?? []
  const name = { CHANGELOG: 'changelog', SECURITY: 'reporting', CONTRIBUTING: 'contributing' }[file] ?? file
  const path = published.get(name)
  return path === undefined ? null : path + fragment
}
