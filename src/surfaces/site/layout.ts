/** What every page shares: head, banner, navigation and footer. */
import { type Html, html } from '../../http/body/html.ts'
import type { Assets } from './assets.ts'
import type { SiteFacts } from './facts.ts'

export interface PageParts {
  readonly title: string
  readonly description: string
  /** Path the page is published at. */
  readonly path: string
  readonly main: Html
  /** Style and modules beside those every page has. */
  readonly assets: readonly string[]
}

/** Composes a page as bytes go out. */
export type Layout = (parts: PageParts) => string

export function layoutFor(facts: SiteFacts, assets: Assets): Layout {
  return function layout({ title, description, path, main, assets: further }) {
    const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${facts.sandbox && 'SANDBOX · '}${title}</title>
<meta name="description" content="${description}">
<link rel="canonical" href="${facts.baseUrl}${path}">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${['site.css', 'page.js', ...further].map((name) => assetTag(assets.pathOf(name)))}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${facts.sandbox && SANDBOX_BANNER}
<header class="top">
<nav class="wrap" aria-label="Site">
<a class="brand" href="/"><img src="/icon.svg" alt="" width="28" height="28">${facts.listing.service}</a>
<ul>
<li><a href="/#checks">Checks</a></li>
<li><a href="/#call">Call it</a></li>
<li><a href="/errors">Errors</a></li>
<li><a href="/#documents">Documents</a></li>
</ul>
</nav>
</header>
<main id="main">
${main}
</main>
<footer>
<div class="wrap">
<p>${facts.listing.service} ${facts.version}. Format and checksum, offline. ${facts.listing.privacy.split('. ')[0] ?? ''}.</p>
<p id="status" role="status"><a href="/status.json">Is it up?</a></p>
</div>
</footer>
</body>
</html>
`
    return page.markup
  }
}

const assetTag = (path: string): Html =>
  path.endsWith('.css')
    ? html`<link rel="stylesheet" href="${path}">\n`
    : html`<script type="module" src="${path}"></script>\n`

const SANDBOX_BANNER = html`<aside class="sandbox" aria-label="Sandbox"><strong>SANDBOX</strong> No real money. Chain, token, wallet and facilitator live on this machine only.</aside>`
