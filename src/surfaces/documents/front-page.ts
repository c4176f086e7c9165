/** `/`: what this address is, for whoever comes without knowing, with links to every description. */
import type { BuildDocument } from './facts.ts'
import { titleOf } from './facts.ts'
import { escapeMarkup, page } from './markup.ts'

const LINKS = [
  ['/llms.txt', 'How to call it, short'],
  ['/llms-full.txt', 'How to call it, in full'],
  ['/api/types', 'Types and prices'],
  ['/openapi.json', 'OpenAPI 3.1'],
  ['/.well-known/agent-card.json', 'A2A agent card'],
  ['/.well-known/mcp/server-card.json', 'MCP server card'],
  ['/.well-known/x402', 'Payment terms'],
  ['/.well-known/agent-skills/index.json', 'Agent Skills'],
  ['/errors', 'Errors'],
] as const

export const frontPage: BuildDocument = (facts) => {
  const { listing, skills } = facts
  const body = page(titleOf(facts), [
    `<h1>${escapeMarkup(titleOf(facts))}</h1>`,
    `<p>${escapeMarkup(listing.summary)} ${escapeMarkup(listing.price)} per call in USDC on ${escapeMarkup(listing.networkName)}.</p>`,
    '<ul>',
    ...skills.all.map(
      ({ title, summary }) => `<li><b>${escapeMarkup(title)}</b>: ${escapeMarkup(summary)}</li>`,
    ),
    '</ul>',
    `<p>${escapeMarkup(listing.usage)}</p>`,
    `<p>${escapeMarkup(listing.privacy)}</p>`,
    '<ul>',
    ...LINKS.map(([path, words]) => `<li><a href="${path}">${words}</a></li>`),
    '</ul>',
  ])
  return { route: '/', body, contentType: 'text/html; charset=utf-8' }
}
