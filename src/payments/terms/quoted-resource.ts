/** What a quote is for: its address and what catalogues show of it. */
import type { Purchase, SurfaceName } from '../ports/sale.ts'

export function resourceUrl(
  baseUrl: string,
  { type, shape }: Pick<Purchase, 'type' | 'shape'>,
  surface: SurfaceName,
): string {
  if (surface === 'a2a' || surface === 'mcp') return `${baseUrl}/${surface}`
  const root = surface === 'rest' ? '/api' : `/api/${surface}`
  const path = type === 'mixed' ? '' : `/${type}`
  return `${baseUrl}${root}/validate${path}${shape === 'list' ? '/batch' : ''}`
}

/** For catalogues, beside the name of the service (x402 2.27, resource metadata): at most five. */
const TAGS = ['validation', 'checksum', 'offline']

/** An icon must be https, so the sandbox has none. */
export function resourceOf(baseUrl: string, quoted: Purchase, surface: SurfaceName, description: string) {
  return {
    url: resourceUrl(baseUrl, quoted, surface),
    description,
    mimeType: 'application/json',
    serviceName: 'Format Checker',
    tags: [quoted.type, ...TAGS],
    ...(baseUrl.startsWith('https:') ? { iconUrl: `${baseUrl}/icon.svg` } : {}),
  }
}
