import type { Handler } from '../../http/middleware.ts'

/** One address with two forms: Markdown for clients that prefer it, HTML for all others. */
export const negotiated = (html: Handler, markdown: Handler): Handler =>
  function negotiated(req, res) {
    res.setHeader('Vary', 'Accept')
    if (prefersMarkdown(req.headers.accept)) markdown(req, res)
    else html(req, res)
  }

/** True for browsers: only clients that name `text/html` get an error as a page. */
export const namesHtml = (accept: string | undefined): boolean =>
  /(?:^|,)\s*text\/html\s*(?:[;,]|$)/i.test(accept ?? '')

/**
 * True when an Accept header (RFC 9110, 12.5.1) prefers `text/markdown` to `text/html`.
 *
 * Only a client that names `text/markdown` gets it; a wildcard or no Accept header means HTML.
 */
function prefersMarkdown(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const ranges = accept.split(',').map(readRange)
  const quality = (type: string) => ranges.find((range) => range.type === type)?.quality ?? 0
  const markdown = quality('text/markdown')
  return markdown > 0 && markdown >= quality('text/html')
}

function readRange(range: string): { readonly type: string; readonly quality: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return { type, quality: weight === undefined ? 1 : Number(weight) || 0 }
}
