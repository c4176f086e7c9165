/** `/.well-known/api-catalog`: where the interfaces of this host are described (RFC 9727, RFC 9264). */

import { PATHS } from '../../call/paths.ts'
import { type BuildDocument, jsonDocument } from '../document-context.ts'

const ROUTE = PATHS.apiCatalog
const TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

export const apiCatalog: BuildDocument = ({ baseUrl }) => {
  const json = 'application/json'
  const linkset = [
    {
      anchor: `${baseUrl}${PATHS.types}`,
      'service-desc': [{ href: `${baseUrl}${PATHS.openapi}`, type: 'application/vnd.oai.openapi+json' }],
      'service-doc': [{ href: `${baseUrl}${PATHS.llmsFull}`, type: 'text/markdown' }],
      'service-meta': [{ href: `${baseUrl}${PATHS.x402}`, type: json }],
      status: [{ href: `${baseUrl}${PATHS.statusJson}`, type: json }],
    },
    {
      anchor: `${baseUrl}${PATHS.a2a}`,
      'service-desc': [{ href: `${baseUrl}${PATHS.agentCard}`, type: json }],
      'service-doc': [{ href: `${baseUrl}${PATHS.docs}/a2a.md`, type: 'text/markdown' }],
    },
    {
      anchor: `${baseUrl}${PATHS.mcp}`,
      'service-desc': [{ href: `${baseUrl}${PATHS.serverCardWellKnown}`, type: json }],
      'service-doc': [{ href: `${baseUrl}${PATHS.llmsFull}`, type: 'text/markdown' }],
    },
  ]
  // For a HEAD request (RFC 9727, section 2).
  const link = `<${baseUrl}${ROUTE}>; rel="api-catalog"`
  return { ...jsonDocument(ROUTE, { linkset }, TYPE), link }
}
