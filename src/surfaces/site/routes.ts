/** The pages for people: made at their first request, the status at every request. */

import { compressedDocument } from '../../http/body/compressed-document.ts'
import type { SendProblem } from '../../http/body/problem.ts'
import { addHeaders } from '../../http/body/send.ts'
import { staticDocument } from '../../http/body/static-document.ts'
import { pageHeaders } from '../../http/headers/security-headers.ts'
import type { Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'
import { PATHS } from '../call/paths.ts'
import { readAssets, SOCIAL_CARD, socialCard } from './assets.ts'
import { docsPaths, docsRoutes } from './docs/docs-routes.ts'
import type { Guide } from './docs/guide.ts'
import { type Layout, layoutFor } from './layout.ts'
import { namesHtml, negotiated } from './negotiate.ts'
import { checkPath, type PageContext } from './page-context.ts'
import { fixedPage, livePage, MARKDOWN, PAGE_AGE, redirectTo, sendPage } from './page-handler.ts'
import { checkPage } from './pages/check-page.ts'
import { checksPage } from './pages/checks-page.ts'
import { errorsPage } from './pages/errors-page.ts'
import { homePage } from './pages/home.ts'
import { listsPage } from './pages/lists-page.ts'
import { notFoundPage } from './pages/not-found-page.ts'
import { pricingPage } from './pages/pricing-page.ts'
import { statusPage } from './pages/status-page.ts'
import { EXAMPLES_ASSET, examplesJson } from './panel.ts'
import type { History } from './status/history.ts'
import type { Status } from './status/status.ts'
import { whenAsked } from './when-asked.ts'

export interface SiteDeps {
  readonly context: PageContext
  readonly guides: readonly Guide[]
  readonly status: () => Promise<Status>
  readonly history: () => Promise<History>
  /** The front page for clients that prefer Markdown. */
  readonly markdown: string
  /** The `Link` header of the front page, which names the descriptions of the service (RFC 8288). */
  readonly links: string
  readonly sendProblem: SendProblem
}

export interface Site {
  /** A path with a trailing slash or in another case is unknown. */
  readonly routes: Middleware
  /** Mounted after everything else: 404 as a page for browsers; other clients are passed on. */
  readonly notFound: Middleware
}

/** Paths of the pages, for the site map. */
export const sitePaths = ({ skills }: PageContext, guides: readonly Guide[]): readonly string[] => [
  PATHS.home,
  PATHS.checks,
  ...skills.all.map(checkPath),
  PATHS.lists,
  PATHS.pricing,
  PATHS.status,
  PATHS.errors,
  ...docsPaths(guides),
]

export function buildSite(deps: SiteDeps): Site {
  const { context } = deps
  const assets = readAssets(context.sandbox, [{ name: EXAMPLES_ASSET, body: examplesJson(context) }])
  const layout = layoutFor(context, assets)
  const handlers = new Map<string, Middleware>([
    ...pageHandlers(deps, layout, assets.pathOf(EXAMPLES_ASSET)),
    ...docsRoutes({ ...deps, layout }),
    ...assets.documents.map((document): [string, Middleware] => [
      document.route,
      whenAsked(() => compressedDocument(deps.sendProblem, document)),
    ]),
    [SOCIAL_CARD.route, staticDocument(deps.sendProblem, socialCard())],
  ])
  const addPageHeaders = pageHeaders()
  const lost = notFoundPage(context, layout)
  return {
    routes(req, res, next) {
      const handler = handlers.get(pathOf(req))
      if (handler === undefined) next()
      else addPageHeaders(req, res, () => handler(req, res, next))
    },
    notFound(req, res, next) {
      const reads = req.method === 'GET' || req.method === 'HEAD'
      if (!reads || !namesHtml(req.headers.accept)) next()
      else addPageHeaders(req, res, () => sendPage(res, 404, lost))
    },
  }
}

function pageHandlers(
  { context, guides, links, markdown, sendProblem, status, history }: SiteDeps,
  layout: Layout,
  examplesPath: string,
): readonly [string, Middleware][] {
  const page = (route: string, render: () => string): [string, Middleware] => [
    route,
    whenAsked(() => fixedPage(sendProblem, route, render())),
  ]
  const home = whenAsked(() =>
    negotiated(
      fixedPage(sendProblem, PATHS.home, homePage(context, layout, { guides, examplesPath })),
      compressedDocument(sendProblem, {
        route: PATHS.home,
        body: markdown,
        contentType: MARKDOWN,
        maxAge: PAGE_AGE,
      }),
    ),
  )
  const frontPage: Middleware = (req, res, next) => {
    addHeaders(res, ['Link', links])
    home(req, res, next)
  }
  return [
    [PATHS.home, frontPage],
    page(PATHS.checks, () => checksPage(context, layout)),
    ...context.skills.all.map((skill) => page(checkPath(skill), () => checkPage(context, skill, layout))),
    page(PATHS.lists, () => listsPage(context, layout)),
    page(PATHS.pricing, () => pricingPage(context, layout)),
    page(PATHS.errors, () => errorsPage(context, layout)),
    [PATHS.terms, redirectTo('/docs/terms')],
    [PATHS.privacy, redirectTo('/docs/privacy')],
    [
      PATHS.status,
      livePage(sendProblem, PATHS.status, async () =>
        statusPage(context, { status: await status(), history: await history() }, layout),
      ),
    ],
  ]
}
