/**
 * The MCP server card: one document for the proposal (SEP-2127) and for the scanners that read what came before it.
 *
 * The proposal's members come first; cards are open objects, so what older readers look for (serverInfo, transport,
 * capabilities, authentication, tools) stands beside them.
 */
import type { StaticDocument } from '../../../http/body/static-document.ts'
import { PRICE_USD } from '../../../skills/price.ts'
import { type DocumentContext, jsonDocument, titleOf } from '../document-context.ts'

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'

/** At most 100 characters, as the registry of MCP and its card allow. */
export const SHORT_DESCRIPTION = `Checks the form of bank, tax and personal identifiers and of emails. USD ${PRICE_USD} per call by x402.`

/**
 * The name in reverse DNS under a host, e.g. "example.checks/format-checker": it must lie in a namespace that the operator can
 * prove.
 */
export function registryName(baseUrl: string): string {
  const { hostname } = new URL(baseUrl)
  return `${hostname
    .replace(/[[\]:]/g, '')
    .split('.')
    .reverse()
    .join('.')}/format-checker`
}

/** The card at the proposal's own address and at the two that scanners ask for. */
export function serverCards(context: DocumentContext): readonly StaticDocument[] {
  const card = serverCard(context)
  return [
    jsonDocument('/mcp/server-card', card, 'application/mcp-server-card+json'),
    jsonDocument('/.well-known/mcp/server-card.json', card),
    jsonDocument('/.well-known/mcp.json', card),
  ]
}

function serverCard(context: DocumentContext) {
  const { baseUrl, version, listing, tools, mcpInstructions, mcpVersions } = context
  const url = `${baseUrl}/mcp`
  return {
    $schema: SCHEMA,
    name: registryName(baseUrl),
    version,
    title: titleOf(context),
    description: SHORT_DESCRIPTION,
    websiteUrl: `${baseUrl}/`,
    icons: [{ src: `${baseUrl}/icon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
    remotes: [{ type: 'streamable-http', url, supportedProtocolVersions: mcpVersions }],
    serverInfo: { name: 'format-checker', title: listing.service, version },
    protocolVersion: mcpVersions[0],
    transport: { type: 'streamable-http', url, endpoint: '/mcp' },
    capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
    authentication: { required: false, schemes: [] },
    instructions: mcpInstructions,
    documentationUrl: `${baseUrl}/llms-full.txt`,
    tools,
    resources: [`${baseUrl}/api/types`, `${baseUrl}/llms-full.txt`],
    prompts: [],
    _meta: {
      'io.modelcontextprotocol.registry/publisher-provided': {
        pricing: { protocol: 'x402', x402Version: 2, perCallUSD: PRICE_USD },
      },
    },
  }
}
