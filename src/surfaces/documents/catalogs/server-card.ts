/**
 * The proposal SEP-2127. Older scanners read serverInfo, transport, capabilities, authentication and tools; a card may
 * have further members.
 */

import { PRICE_USD } from '../../../catalog/price.ts'
import type { Source } from '../../../files/source.ts'
import type { StaticDocument } from '../../../http/body/static-document.ts'
import { PATHS } from '../../call/paths.ts'
import { type DocumentContext, jsonDocument, titleOf } from '../document-context.ts'

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'

/** At most 100 characters, the limit of the MCP registry and of the card. */
export const SHORT_DESCRIPTION = `Checks the form of bank, tax and personal identifiers and of emails. USD ${PRICE_USD} per call by x402.`

/** In reverse DNS, e.g. "example.checks/format-checker": the registry asks the operator to prove the namespace. */
export function registryName(baseUrl: string): string {
  const { hostname } = new URL(baseUrl)
  return `${hostname
    .replace(/[[\]:]/g, '')
    .split('.')
    .reverse()
    .join('.')}/format-checker`
}

/** As the card and the registry's entry name it, with the host that has it. */
export const repositoryOf = ({ repository: url }: Source) => ({
  url,
  source: new URL(url).hostname.replace(/\.\w+$/, ''),
})

/** At the proposal's path, and at the two that scanners read. */
export function serverCards(context: DocumentContext): readonly StaticDocument[] {
  const card = serverCard(context)
  return [
    jsonDocument(PATHS.serverCard, card, 'application/mcp-server-card+json'),
    jsonDocument(PATHS.serverCardWellKnown, card),
    jsonDocument(PATHS.serverCardOfOld, card),
  ]
}

function serverCard(context: DocumentContext) {
  const { baseUrl, version, listing, tools, mcpInstructions, mcpVersions, source } = context
  const url = `${baseUrl}${PATHS.mcp}`
  return {
    $schema: SCHEMA,
    name: registryName(baseUrl),
    version,
    title: titleOf(context),
    description: SHORT_DESCRIPTION,
    websiteUrl: `${baseUrl}/`,
    ...(source === null ? {} : { repository: repositoryOf(source) }),
    icons: [{ src: `${baseUrl}${PATHS.icon}`, mimeType: 'image/svg+xml', sizes: ['any'] }],
    remotes: [{ type: 'streamable-http', url, supportedProtocolVersions: mcpVersions }],
    serverInfo: { name: 'format-checker', title: listing.service, version },
    protocolVersion: mcpVersions[0],
    transport: { type: 'streamable-http', url, endpoint: PATHS.mcp },
    capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
    authentication: { required: false, schemes: [] },
    instructions: mcpInstructions,
    documentationUrl: `${baseUrl}${PATHS.llmsFull}`,
    tools,
    resources: [`${baseUrl}${PATHS.types}`, `${baseUrl}${PATHS.llmsFull}`],
    prompts: [],
    _meta: {
      'io.modelcontextprotocol.registry/publisher-provided': {
        pricing: { protocol: 'x402', x402Version: 2, perCallUSD: PRICE_USD },
      },
    },
  }
}
