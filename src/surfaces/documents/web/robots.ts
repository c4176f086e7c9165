/** `/robots.txt` (RFC 9309): everything published may be read and used. */
import type { BuildDocument } from '../document-context.ts'

export const robots: BuildDocument = ({ baseUrl }) => ({
  route: '/robots.txt',
  body: `${[
    'User-agent: *',
    'Content-Signal: search=yes, ai-input=yes, ai-train=yes',
    'Allow: /',
    '',
    `Sitemap: ${baseUrl}/sitemap.xml`,
  ].join('\n')}\n`,
  contentType: 'text/plain; charset=utf-8',
})
