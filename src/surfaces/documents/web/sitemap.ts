/** `/sitemap.xml` (sitemaps.org 0.9): what there is to read, for people and for models. */
import { escapeMarkup } from '../../../http/body/html.ts'
import type { StaticDocument } from '../../../http/body/static-document.ts'

/** Lists the given paths. */
export function sitemap(baseUrl: string, paths: readonly string[]): StaticDocument {
  const urls = paths.map((path) => `<url><loc>${escapeMarkup(`${baseUrl}${path}`)}</loc></url>`)
  return {
    route: '/sitemap.xml',
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`,
    contentType: 'application/xml; charset=utf-8',
  }
}
