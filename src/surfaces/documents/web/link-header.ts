import { PATHS } from '../../call/paths.ts'

/**
 * The `Link` header of the front page (RFC 8288), for clients that send a HEAD request.
 *
 * Relations: service-desc, service-doc and service-meta (RFC 8631), api-catalog (RFC 9727), describedby.
 */
export function descriptionLinks(baseUrl: string): string {
  const links = [
    [PATHS.openapi, 'service-desc', 'application/vnd.oai.openapi+json'],
    [PATHS.llmsFull, 'service-doc', 'text/markdown'],
    [PATHS.x402, 'service-meta', 'application/json'],
    [PATHS.apiCatalog, 'api-catalog', 'application/linkset+json'],
    [PATHS.agentCard, 'describedby', 'application/json'],
    [PATHS.llms, 'describedby', 'text/markdown'],
  ] as const
  return links.map(([path, rel, type]) => `<${baseUrl}${path}>; rel="${rel}"; type="${type}"`).join(', ')
}
