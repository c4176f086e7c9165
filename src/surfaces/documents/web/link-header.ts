/**
 * The `Link` header of the front page (RFC 8288), for clients that send a HEAD request.
 *
 * Relations: service-desc, service-doc and service-meta (RFC 8631), api-catalog (RFC 9727), describedby.
 */
export function descriptionLinks(baseUrl: string): string {
  const links = [
    ['/openapi.json', 'service-desc', 'application/vnd.oai.openapi+json'],
    ['/llms-full.txt', 'service-doc', 'text/markdown'],
    ['/.well-known/x402', 'service-meta', 'application/json'],
    ['/.well-known/api-catalog', 'api-catalog', 'application/linkset+json'],
    ['/.well-known/agent-card.json', 'describedby', 'application/json'],
    ['/llms.txt', 'describedby', 'text/markdown'],
  ] as const
  return links.map(([path, rel, type]) => `<${baseUrl}${path}>; rel="${rel}"; type="${type}"`).join(', ')
}
