/** The page that the `type` of every problem links to: one section for each code. */
import { ERRORS, type ErrorCode, type ErrorEntry } from '../../../errors.ts'
import { type Html, html } from '../../../values/html.ts'
import type { Layout } from '../layout.ts'
import type { PageContext } from '../page-context.ts'

/** Every error once, under the heading it is published below. */
export const ERROR_GROUPS = Map.groupBy(
  Object.entries(ERRORS) as [ErrorCode, ErrorEntry][],
  ([, { status }]) => {
    if (status >= 500) return 'About the service'
    return status === 402 || status === 409 ? 'About the payment' : 'About the request'
  },
)

export function errorsPage(context: PageContext, layout: Layout): string {
  return layout({
    title: `Errors - ${context.listing.service}`,
    description: 'Every error code of the service, what it means and what to do about it.',
    path: '/errors',
    assets: ['reading.css', 'folds.js'],
    main: html`<div class="wrap page">
<h1>Errors</h1>
<p class="lead">Every call that is refused is answered with one of these codes. A code never changes its meaning, and no error contains a part of the request.</p>
<p>Over HTTP the code is in <code>code</code> of the problem details; A2A and MCP carry the same code in their own form. An identifier that fails its check is not an error: it is a verdict with <code>valid: false</code>.</p>
${[...ERROR_GROUPS].map(([title, entries]) => group(title, entries))}
</div>`,
  })
}

const group = (title: string, entries: readonly [ErrorCode, ErrorEntry][]): Html => html`<section>
<h2>${title}</h2>
${entries.map(
  ([code, { status, title, detail }]) => html`<article class="error" id="${code}">
<h3><a href="#${code}">${title}</a></h3>
<p class="code-line"><code>${code}</code> <span>HTTP ${status}</span></p>
<p>${detail}</p>
</article>`,
)}
</section>`
