/** The pages for people as one middleware; all of them are made once, at boot. */

import type { SendProblem } from '../../http/body/problem.ts'
import { pageHeaders } from '../../http/headers/security-headers.ts'
import type { Handler, Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'
import { type Assets, readAssets } from './assets.ts'
import { checkPage } from './check-page.ts'
import { compressedDocument } from './compressed.ts'
import { errorsPage } from './errors-page.ts'
import { checkPath, type SiteFacts } from './facts.ts'
import { homePage } from './home.ts'
import { homeMarkdown } from './home-markdown.ts'
import { layoutFor } from './layout.ts'
import { prefersMarkdown } from './negotiate.ts'

export interface SiteDeps {
  readonly facts: SiteFacts
  /** The `Link` header of the front page: where the descriptions are (RFC 8288). */
  readonly links: string
  readonly sendProblem: SendProblem
}

const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
/** Seconds; short, because a page names its assets by their content. */
const PAGE_AGE = 60

/** A page may load what this origin serves as a file, talk to this origin, and nothing else. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Paths of the pages, for a site map. */
export const sitePaths = (facts: SiteFacts): readonly string[] => [
  '/',
  ...facts.skills.all.map(checkPath),
  '/errors',
]

/** Paths are looked up as they were sent, so a trailing slash or another case finds nothing. */
export function siteRoutes(deps: SiteDeps): Middleware {
  const handlers = siteHandlers(deps)
  const addPageHeaders = pageHeaders()
  return function siteRoutes(req, res, next) {
    const handler = handlers.get(pathOf(req))
    if (handler === undefined) next()
    else addPageHeaders(req, res, () => handler(req, res))
  }
}

function siteHandlers({ facts, links, sendProblem }: SiteDeps): ReadonlyMap<string, Handler> {
  const assets: Assets = readAssets(facts.sandbox)
  const layout = layoutFor(facts, assets)
  const page = (route: string, body: string): [string, Handler] => {
    const serve = compressedDocument(sendProblem, { route, body, contentType: HTML, maxAge: PAGE_AGE })
    return [route, withPolicy(serve)]
  }
  return new Map([
    ['/', frontPage(page('/', homePage(facts, layout))[1], facts, links, sendProblem)],
    ...facts.skills.all.map((skill) => page(checkPath(skill), checkPage(facts, skill, layout))),
    page('/errors', errorsPage(facts, layout)),
    ...assets.documents.map((document): [string, Handler] => [
      document.route,
      compressedDocument(sendProblem, document),
    ]),
  ])
}

const withPolicy =
  (serve: Handler): Handler =>
  (req, res) => {
    res.setHeader('Content-Security-Policy', POLICY)
    serve(req, res)
  }

function frontPage(html: Handler, facts: SiteFacts, links: string, sendProblem: SendProblem): Handler {
  const markdown = compressedDocument(sendProblem, {
    route: '/',
    body: homeMarkdown(facts),
    contentType: MARKDOWN,
    maxAge: PAGE_AGE,
  })
  return function frontPage(req, res) {
    res.setHeader('Vary', 'Accept')
    res.setHeader('Link', links)
    if (prefersMarkdown(req.headers.accept)) markdown(req, res)
    else html(req, res)
  }
}
