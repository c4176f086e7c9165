/**
 * True when an Accept header (RFC 9110, 12.5.1) prefers `text/markdown` to `text/html`.
 *
 * Only what is named counts for Markdown: a browser, which takes anything, and a client that says nothing get HTML.
 */
export function prefersMarkdown(accept: string | undefined): boolean {
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
