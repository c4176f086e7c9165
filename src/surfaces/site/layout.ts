import { type Html, html } from '../../values/html.ts'
import { type Assets, SOCIAL_CARD } from './assets.ts'
import type { PageContext } from './page-context.ts'
import { siteFooter } from './site-footer.ts'

export interface PageParts {
  readonly title: string
  readonly description: string
  /** Path the page is published at; null for a page without an address of its own. */
  readonly path: string | null
  readonly main: Html
  readonly assets: readonly string[]
}

export type Layout = (parts: PageParts) => string

/** Status is offered only where an operator is named who answers for it. */
const sectionsOf = ({ operator }: PageContext): readonly (readonly [path: string, name: string])[] => [
  ['/checks', 'Checks'],
  ['/lists', 'Lists'],
  ['/pricing', 'Pricing'],
  ['/docs', 'Docs'],
  ...(operator.operatorName === null ? [] : [['/status', 'Status'] as const]),
]

export function layoutFor(context: PageContext, assets: Assets): Layout {
  return function layout(parts) {
    const { title, description, path, main, assets: further } = parts
    const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${context.mark !== null && `${context.mark} · `}${title}</title>
<meta name="description" content="${description}">
${path === null ? html`<meta name="robots" content="noindex">` : addressTags(context, parts, path)}
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${['tokens.css', 'site.css', 'page.js', ...further].map((name) => assetTag(assets.pathOf(name)))}<noscript>${assetTag(assets.pathOf('unscripted.css'))}</noscript>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${context.mark !== null && testMoneyBanner(context, context.mark)}
<header class="top">
<nav class="wrap" aria-label="Site">
<a class="brand" href="/"><img src="/icon.svg" alt="" width="28" height="28">${context.listing.service}</a>
<button type="button" class="secondary menu-button" popovertarget="site-menu">Menu</button>
<ul id="site-menu" popover>
${sectionsOf(context).map(([section, name]) => html`<li><a href="${section}"${isWithin(path, section) && html` aria-current="${path === section ? 'page' : 'true'}"`}>${name}</a></li>`)}
<li class="call"><a href="/#try">Try it</a></li>
</ul>
</nav>
</header>
<main id="main">
${main}
</main>
${siteFooter(context)}
</body>
</html>
`
    return page.markup
  }
}

const isWithin = (path: string | null, section: string): boolean =>
  path !== null && (path === section || path.startsWith(`${section}/`))

/** The page's one address, and how a shared link to it is shown (ogp.me). */
function addressTags(
  { baseUrl, listing }: PageContext,
  { title, description }: PageParts,
  path: string,
): Html {
  const url = baseUrl + path
  return html`<link rel="canonical" href="${url}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${listing.service}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${url}">
<meta property="og:image" content="${baseUrl}${SOCIAL_CARD.route}">
<meta property="og:image:width" content="${SOCIAL_CARD.width}">
<meta property="og:image:height" content="${SOCIAL_CARD.height}">
<meta name="twitter:card" content="summary_large_image">`
}

const assetTag = (path: string): Html =>
  path.endsWith('.css')
    ? html`<link rel="stylesheet" href="${path}">\n`
    : html`<script type="module" src="${path}"></script>\n`

const testMoneyBanner = ({ sandbox, chain }: PageContext, mark: string): Html =>
  html`<aside class="sandbox" aria-label="Test money"><strong>${mark}</strong> No real money. ${
    sandbox
      ? 'Chain, token, wallet and facilitator run on this machine only.'
      : `Payments are in the test USDC of ${chain.title}.`
  }</aside>`
