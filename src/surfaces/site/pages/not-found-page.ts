import { html } from '../../../values/html.ts'
import type { Layout } from '../layout.ts'
import type { PageContext } from '../page-context.ts'

export function notFoundPage({ listing }: PageContext, layout: Layout): string {
  return layout({
    title: `Page not found - ${listing.service}`,
    description: 'There is no page at this address.',
    path: null,
    assets: ['reading.css'],
    main: html`<div class="wrap page lost">
<p class="status-code">404</p>
<h1>There is no page at this address.</h1>
<p class="lead">Nothing was charged. Perhaps one of these is what you are looking for:</p>
<ul>
<li><a href="/checks">The checks</a> and their codes</li>
<li><a href="/docs">The documents</a>, with a search</li>
<li><a href="/errors">The errors</a>, one by one</li>
<li><a href="/">The front page</a></li>
</ul>
</div>`,
  })
}
