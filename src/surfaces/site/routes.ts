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
import { fixedPage, livePage, markdownForm, redirectTo, sendPage } from './page-handler.ts'
import { checkPage } from './pages/check-page.ts'
import { checksPage } from './pages/checks-page.ts'
import { homePage } from './pages/home.ts'
import { listsPage } from './pages/lists-page.ts'
import { notFoundPage } from './pages/not-found-page.ts'
import { pricingPage } from './pages/pricing-page.ts'
import { statusPage } from './pages/status-page.ts'
import { EXAMPLES_ASSET, examplesJson } from './panel.ts'
import { sharedModules } from './shared-modules.ts'
import type { Status } from './status/status.ts'
import { whenAsked } from './when-asked.ts'

export interface SiteDeps {
  readonly context: PageContext
  readonly guides: readonly Guide[]
  readonly status: () => Promise<Status>
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

export const sitePaths = ({ skills }: PageContext, guides: readonly Guide[]): readonly string[] => [
  PATHS.home,
  PATHS.checks,
  ...skills.all.map(checkPath),
  PATHS.lists,
  PATHS.pricing,
  PATHS.status,
  ...docsPaths(guides),
]

export function buildSite(deps: SiteDeps): Site {
  const { context } = deps
  const assets = readAssets(context.sandbox, [
    ...sharedModules(),
    { name: EXAMPLES_ASSET, body: examplesJson(context) },
  ])
  const layout = layoutFor(context, assets)
  const pages = new Map<string, () => string>([
    [PATHS.checks, () => checksPage(context, layout)],
    ...context.skills.all.map(
      (skill) => [checkPath(skill), () => checkPage(context, skill, layout)] as const,
    ),
    [PATHS.lists, () => listsPage(context, layout)],
    [PATHS.pricing, () => pricingPage(context, layout)],
  ])
  const handlers = new Map<string, Middleware>([
    ...otherHandlers(deps, layout, assets.pathOf(EXAMPLES_ASSET)),
    ...[...pages].map(([route, render]): [string, Middleware] => [
      route,
      whenAsked(() => fixedPage(deps.sendProblem, route, render())),
    ]),
    ...docsRoutes({ ...deps, layout, pages }),
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

function otherHandlers(
  { context, guides, links, markdown, sendProblem, status }: SiteDeps,
  layout: Layout,
  examplesPath: string,
): readonly [string, Middleware][] {
  const home = whenAsked(() =>
    negotiated(
      fixedPage(sendProblem, PATHS.home, homePage(context, layout, { guides, examplesPath })),
      markdownForm(sendProblem, PATHS.home, markdown),
    ),
  )
  const frontPage: Middleware = (req, res, next) => {
    addHeaders(res, ['Link', links])
    home(req, res, next)
  }
  return [
    [PATHS.home, frontPage],
    [PATHS.terms, redirectTo('/docs/terms')],
    [PATHS.privacy, redirectTo('/docs/privacy')],
    ['/docs/errors', redirectTo(PATHS.errors)],
    [
      PATHS.status,
      livePage(sendProblem, PATHS.status, async () => statusPage(context, await status(), layout)),
    ],
  ]
}
