/** The page that the `type` of every problem links to: one section for each code. */
import { ERRORS, type ErrorCode, type ErrorEntry } from '../../../errors.ts'
import { type Html, html } from '../../../values/html.ts'
import type { Layout } from '../layout.ts'
import type { PageContext } from '../page-context.ts'

const GROUPS: readonly (readonly [string, (status: number) => boolean])[] = [
  ['About the payment', (status) => status === 402 || status === 409],
  ['About the request', (status) => status >= 400 && status < 500 && status !== 402 && status !== 409],
  ['About the service', (status) => status >= 500],
]

export function errorsPage(context: PageContext, layout: Layout): string {
  return layout({
    title: `Errors - ${context.listing.service}`,
    description: 'Every error code of the service, what it means and what to do about it.',
    path: '/errors',
    assets: ['reading.css'],
    main: html`<div class="wrap page">
<h1>Errors</h1>
<p class="lead">Every call that is refused is answered with one of these codes. A code never changes its meaning, and no error contains a part of the request.</p>
<p>Over HTTP the code is in <code>code</code> of the problem details; A2A and MCP carry the same code in their own form. An identifier that fails its check is not an error: it is a verdict with <code>valid: false</code>.</p>
${GROUPS.map(([title, belongs]) => group(title, belongs))}
</div>`,
  })
}

function group(title: string, belongs: (status: number) => boolean): Html {
  const entries = (Object.entries(ERRORS) as [ErrorCode, ErrorEntry][]).filter(([, { status }]) =>
    belongs(status),
  )
  return html`<section>
<h2>${title}</h2>
${entries.map(
  ([code, { status, title, detail }]) => html`<article class="error" id="${code}">
<h3><a href="#${code}">${title}</a></h3>
<p class="code-line"><code>${code}</code> <span>HTTP ${status}</span></p>
<p>${detail}</p>
</article>`,
)}
</section>`
}
