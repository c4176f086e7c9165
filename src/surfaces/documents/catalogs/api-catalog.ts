/** `/.well-known/api-catalog`: where the interfaces of this host are described (RFC 9727, RFC 9264). */

import { PATHS } from '../../call/paths.ts'
import { type BuildDocument, jsonDocument } from '../document-context.ts'

const ROUTE = PATHS.apiCatalog
const TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

export const apiCatalog: BuildDocument = ({ baseUrl }) => {
  const json = 'application/json'
  const linkset = [
    {
      anchor: `${baseUrl}/api/types`,
      'service-desc': [{ href: `${baseUrl}/openapi.json`, type: 'application/vnd.oai.openapi+json' }],
      'service-doc': [{ href: `${baseUrl}/llms-full.txt`, type: 'text/markdown' }],
      'service-meta': [{ href: `${baseUrl}/.well-known/x402`, type: json }],
      status: [{ href: `${baseUrl}/status.json`, type: json }],
    },
    {
      anchor: `${baseUrl}/a2a`,
      'service-desc': [{ href: `${baseUrl}/.well-known/agent-card.json`, type: json }],
      'service-doc': [{ href: `${baseUrl}/docs/a2a.md`, type: 'text/markdown' }],
    },
    {
      anchor: `${baseUrl}/mcp`,
      'service-desc': [{ href: `${baseUrl}/.well-known/mcp/server-card.json`, type: json }],
      'service-doc': [{ href: `${baseUrl}/llms-full.txt`, type: 'text/markdown' }],
    },
  ]
  // For a HEAD request (RFC 9727, section 2).
  const link = `<${baseUrl}${ROUTE}>; rel="api-catalog"`
  return { ...jsonDocument(ROUTE, { linkset }, TYPE), link }
}
