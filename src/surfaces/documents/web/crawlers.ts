import type { StaticDocument } from '../../../http/body/static-document.ts'
import { escapeMarkup } from '../../../values/html.ts'
import { PATHS } from '../../call/paths.ts'
import type { BuildDocument } from '../document-context.ts'

/** `/robots.txt` (RFC 9309). */
export const robots: BuildDocument = ({ baseUrl }) => ({
  route: PATHS.robots,
  body: `User-agent: *
Content-Signal: search=yes, ai-input=yes, ai-train=yes
Allow: /

Sitemap: ${baseUrl}/sitemap.xml
`,
  contentType: 'text/plain; charset=utf-8',
})

/** `/sitemap.xml` (sitemaps.org 0.9). */
export function sitemap(baseUrl: string, paths: readonly string[]): StaticDocument {
  const urls = paths.map((path) => `<url><loc>${escapeMarkup(`${baseUrl}${path}`)}</loc></url>`)
  return {
    route: PATHS.sitemap,
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`,
    contentType: 'application/xml; charset=utf-8',
  }
}
