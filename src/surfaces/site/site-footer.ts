import { type Html, html } from '../../values/html.ts'
import type { PageContext } from './page-context.ts'

type Link = readonly [path: string, words: string]

export function siteFooter(context: PageContext): Html {
  const { listing, version, operator } = context
  const { operatorName } = operator
  return html`<footer>
<div class="wrap foot">
${Object.entries(columns(context)).map(([title, links]) => html`<div><p class="foot-title">${title}</p><ul>${links.map(([path, words]) => html`<li><a href="${path}">${words}</a></li>`)}</ul></div>`)}
</div>
<div class="wrap foot-end">
<p>${listing.service} ${version}${operatorName === null ? '' : `, run by ${operatorName}`}. ${listing.privacy.split('. ')[0] ?? ''}.</p>
<p id="site-status" role="status"><a href="/status">Is it up?</a></p>
</div>
</footer>`
}

function columns({ operator, source }: PageContext): Readonly<Record<string, readonly Link[]>> {
  const { operatorName, termsUrl, supportUrl, contactEmail } = operator
  const answers: Link[] = [
    ...(operatorName === null ? [] : [[termsUrl ?? '/docs/terms', 'Terms'] as const]),
    ...(supportUrl === null ? [] : [[supportUrl, 'Support'] as const]),
    ...(contactEmail === null ? [] : [[`mailto:${contactEmail}`, 'Contact'] as const]),
  ]
  return {
    Product: [
      ['/checks', 'Checks'],
      ['/lists', 'Lists'],
      ['/pricing', 'Pricing'],
      ...(operatorName === null ? [] : [['/status', 'Status'] as const]),
      ['/#try', 'Try it'],
    ],
    Developers: [
      ['/docs', 'Docs'],
      ['/docs/clients', 'Clients'],
      ['/errors', 'Errors'],
      ['/openapi.json', 'OpenAPI'],
      ...(source === null
        ? []
        : ([
            [source.repository, 'Source'],
            [source.bugs, 'Report a bug'],
          ] as const)),
    ],
    Agents: [
      ['/.well-known/agent-card.json', 'A2A card'],
      ['/.well-known/mcp/server-card.json', 'MCP card'],
      ['/llms.txt', 'llms.txt'],
    ],
    Trust: [
      ['/docs/privacy', 'Privacy'],
      ['/docs/how-it-works', 'How it works'],
      ['/.well-known/security.txt', 'Security'],
      ...answers,
    ],
  }
}
