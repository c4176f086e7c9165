import { addHeaders, type HeaderList } from '../../http/body/send.ts'
import type { Handler } from '../../http/middleware.ts'

export const VARY_ACCEPT: HeaderList = ['Vary', 'Accept']

/** One address with two forms: Markdown for clients that prefer it, HTML for all others. */
export const negotiated = (html: Handler, markdown: Handler): Handler =>
  function negotiated(req, res) {
    addHeaders(res, VARY_ACCEPT)
    if (prefersMarkdown(req.headers.accept)) markdown(req, res)
    else html(req, res)
  }

/** True for browsers: only clients that name `text/html` get an error as a page. */
export const namesHtml = (accept: string | undefined): boolean =>
  /(?:^|,)\s*text\/html\s*(?:[;,]|$)/i.test(accept ?? '')

/** True when `text/markdown` is named before `text/html`, or alone: clients name first what they prefer. */
const prefersMarkdown = (accept = ''): boolean =>
  /text\/(?:html|markdown)/i.exec(accept)?.[0].toLowerCase() === 'text/markdown'
