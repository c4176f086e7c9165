/** What the admin port serves: the operator's view, its style, and the metrics. */
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { memoize } from '../../http/memoize.ts'
import type { Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'
import { type Figures, type FiguresDeps, readFigures } from './operator/figures.ts'
import { operatorPage, type PageFacts, STYLE_PATH } from './operator/page.ts'

export interface AdminRoutesDeps extends PageFacts {
  readonly figures: FiguresDeps
  readonly metrics: () => Promise<{ readonly contentType: string; readonly body: string }>
}

/** Looking at the view again sooner than this shows the same figures. */
const FIGURES_LIFE_MS = 5_000

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

/** Answers everything; mounted behind the guard. */
export function adminRoutes({ figures, metrics, version, sandbox }: AdminRoutesDeps): Middleware {
  const style = readFileSync(new URL('./operator/operator.css', import.meta.url))
  const read = memoize<Figures>(() => readFigures(figures), FIGURES_LIFE_MS, figures.now)
  const pages: Readonly<Record<string, (res: ServerResponse) => Promise<void>>> = {
    '/': async (res) =>
      send(res, 'text/html; charset=utf-8', operatorPage(await read(), { version, sandbox })),
    [STYLE_PATH]: async (res) => send(res, 'text/css; charset=utf-8', style),
    '/metrics': async (res) => {
      const { contentType, body } = await metrics()
      send(res, contentType, body)
    },
  }
  return function adminRoutes(req, res, next) {
    const path = pathOf(req)
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined
    if (page === undefined) refuse(res, 404, 'Not found.\n')
    else if (req.method !== 'GET' && req.method !== 'HEAD')
      refuse(res.setHeader('Allow', 'GET, HEAD'), 405, 'Method not allowed.\n')
    else page(res).catch(next)
  }
}

function send(res: ServerResponse, contentType: string, content: string | Buffer): void {
  const body = Buffer.from(content)
  res.writeHead(200, { ...HEADERS, 'Content-Type': contentType, 'Content-Length': body.length }).end(body)
}

function refuse(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' }).end(text)
}
