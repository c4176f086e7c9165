/** `/apis.json`: the interfaces of this host for API search engines (apisjson.org, 0.19). */
import { type BuildDocument, jsonDocument, titleOf } from '../document-context.ts'

export const apisJson: BuildDocument = (context) => {
  const { baseUrl, listing, version, contactEmail, supportUrl } = context
  const document = {
    name: titleOf(context),
    description: listing.summary,
    type: 'Index',
    image: `${baseUrl}/icon.svg`,
    url: `${baseUrl}/apis.json`,
    specificationVersion: '0.19',
    tags: ['validation', 'iban', 'vat', 'x402', 'a2a', 'mcp'],
    apis: [
      {
        name: listing.service,
        description: `${listing.summary} ${listing.price} per call, paid with x402.`,
        image: `${baseUrl}/icon.svg`,
        humanURL: `${baseUrl}/`,
        baseURL: baseUrl,
        version,
        tags: ['validation'],
        properties: [
          { type: 'OpenAPI', url: `${baseUrl}/openapi.json` },
          { type: 'Documentation', url: `${baseUrl}/llms-full.txt` },
          { type: 'Pricing', url: `${baseUrl}/api/types` },
          { type: 'StatusPage', url: `${baseUrl}/status.json` },
          { type: 'AgentCard', url: `${baseUrl}/.well-known/agent-card.json` },
          { type: 'MCPServer', url: `${baseUrl}/mcp` },
          { type: 'LLMsTxt', url: `${baseUrl}/llms.txt` },
        ],
        contact: [{ FN: listing.service, ...(contactEmail === null ? {} : { email: contactEmail }) }],
      },
    ],
    maintainers: [{ FN: listing.service, url: supportUrl ?? `${baseUrl}/` }],
  }
  return jsonDocument('/apis.json', document)
}
