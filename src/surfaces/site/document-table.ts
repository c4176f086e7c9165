/** Every published description, by reader. */
import { type Html, html } from '../../http/body/html.ts'

/** Heading, then path and words of each link; a test follows all of them. */
export const DOCUMENTS = [
  [
    'For agents',
    [
      ['/.well-known/agent-card.json', 'A2A agent card'],
      ['/.well-known/mcp/server-card.json', 'MCP server card'],
      ['/.well-known/agent-skills/index.json', 'Agent Skills'],
      ['/llms.txt', 'llms.txt'],
      ['/llms-full.txt', 'llms-full.txt'],
    ],
  ],
  [
    'For clients',
    [
      ['/openapi.json', 'OpenAPI 3.1'],
      ['/api/types', 'Types and prices'],
      ['/.well-known/x402', 'Payment terms'],
      ['/.well-known/api-catalog', 'API catalogue'],
      ['/errors', 'Errors'],
    ],
  ],
  [
    'For people',
    [
      ['/docs/payments', 'Payments'],
      ['/docs/privacy', 'Privacy'],
      ['/docs/architecture', 'Architecture'],
      ['/docs/configuration', 'Configuration'],
    ],
  ],
  [
    'For trust',
    [
      ['/.well-known/jwks.json', 'Signing keys'],
      ['/.well-known/did.json', 'Who signs receipts'],
      ['/.well-known/security.txt', 'Security'],
      ['/status.json', 'Status'],
    ],
  ],
] as const

export const documentTable = (): Html => html`<div class="documents">
${DOCUMENTS.map(
  ([heading, links]) => html`<div><h3>${heading}</h3><ul>
${links.map(([path, words]) => html`<li><a href="${path}">${words}</a></li>`)}
</ul></div>`,
)}
</div>`
