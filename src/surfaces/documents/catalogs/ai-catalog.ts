/** `/.well-known/ai-catalog.json`: the cards of this host (AI Catalog 0.9.0), which MCP's discovery has clients fetch. */
import { PATHS } from '../../call/paths.ts'
import { type BuildDocument, jsonDocument } from '../document-context.ts'

/** The names, descriptions and versions are in the cards, so the entries have none (section "Catalog Entry"). */
export const aiCatalog: BuildDocument = ({ baseUrl, listing, receipts }) => {
  const entryOf = (protocol: 'a2a' | 'mcp', type: string, path: string) => ({
    identifier: `urn:air:${new URL(baseUrl).hostname}:${protocol}:format-checker`,
    type,
    url: `${baseUrl}${path}`,
  })
  const catalog = {
    specVersion: '1.0',
    host: { displayName: listing.service, identifier: receipts.did },
    entries: [
      entryOf('a2a', 'application/a2a-agent-card+json', PATHS.agentCard),
      entryOf('mcp', 'application/mcp-server-card+json', PATHS.serverCard),
    ],
  }
  return jsonDocument(PATHS.aiCatalog, catalog, 'application/ai-catalog+json')
}
