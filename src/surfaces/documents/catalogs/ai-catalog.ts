/** `/.well-known/ai-catalog.json`: the agent, the MCP server and the skills of this host (AI catalog 1.0). */
import { type BuildDocument, jsonDocument, titleOf } from '../document-context.ts'

export const aiCatalog: BuildDocument = (context) => {
  const { baseUrl, listing, version } = context
  const { hostname } = new URL(baseUrl)
  const shared = { version, description: listing.summary }
  const entries = [
    {
      identifier: `urn:air:${hostname}:mcp:format-checker`,
      displayName: `${titleOf(context)} over MCP`,
      type: 'application/mcp-server-card+json',
      url: `${baseUrl}/mcp/server-card`,
      ...shared,
    },
    {
      identifier: `urn:air:${hostname}:a2a:format-checker`,
      displayName: `${titleOf(context)} over A2A`,
      type: 'application/a2a-agent-card+json',
      url: `${baseUrl}/.well-known/agent-card.json`,
      ...shared,
    },
    {
      identifier: `urn:air:${hostname}:skills:format-checker`,
      displayName: `${titleOf(context)} as Agent Skills`,
      type: 'application/json',
      url: `${baseUrl}/.well-known/agent-skills/index.json`,
      ...shared,
    },
  ]
  const host = { displayName: listing.service, identifier: context.receipts.did }
  const catalog = { specVersion: '1.0', host, entries }
  return jsonDocument('/.well-known/ai-catalog.json', catalog, 'application/ai-catalog+json')
}
