import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { memoize } from '../../caches/memoize.ts'
import { addHeaders, preparedBody, sendBody, sendText } from '../../http/body/send.ts'
import type { Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { type Figures, type FiguresDeps, readFigures } from './operator/figures/figures.ts'
import { readDays } from './operator/figures/view-range.ts'
import { CSV_PATH, type OperatorPageContext, operatorPage, STYLE_PATH } from './operator/page.ts'
import { sendSales } from './sales/send-sales.ts'

export interface AdminView {
  readonly route: string
  readonly count?: number
}

export interface AdminRoutesDeps extends OperatorPageContext {
  readonly figures: FiguresDeps
  readonly ledger: Pick<Ledger, 'settled'>
  readonly ownPayers: readonly string[]
  /** Called for each view that shows payers or sales; not for metrics. */
  readonly onView?: (res: ServerResponse, view: AdminView) => void
  readonly metrics: () => Promise<{ readonly contentType: string; readonly body: string }>
}

/** A page asked for again sooner shows the same figures. */
const FIGURES_LIFE_MS = 5_000

type Page = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/**
 * Serves the operator's page, its style, the sales as a file, and the metrics; refuses everything else. Must be mounted
 * behind the guard.
 */
export function adminRoutes({
  figures,
  ledger,
  ownPayers,
  metrics,
  onView = () => {},
  ...context
}: AdminRoutesDeps): Middleware {
  const style = readStyle()
  const read = memoize<Figures>(() => readFigures(figures), FIGURES_LIFE_MS, figures.now)
  const pages = new Map<string, Page>()
  pages.set('/', async (req, res) => {
    const page = operatorPage(await read(), context, daysOf(req))
    onView(res, { route: '/' })
    send(res, 'text/html; charset=utf-8', page)
  })
  pages.set(STYLE_PATH, async (_req, res) => send(res, 'text/css; charset=utf-8', style))
  pages.set(CSV_PATH, (req, res) =>
    sendSales(req, res, {
      ledger,
      ownPayers,
      now: figures.now,
      days: daysOf(req),
      onSent: (count) => onView(res, { route: CSV_PATH, count }),
    }),
  )
  pages.set('/metrics', async (_req, res) => {
    const { contentType, body } = await metrics()
    send(res, contentType, body)
  })
  return function adminRoutes(req, res, next) {
    const page = pages.get(pathOf(req))
    if (page === undefined) return sendText(res, 404, 'Not found.\n')
    if (req.method === 'GET' || req.method === 'HEAD') return void page(req, res).catch(next)
    addHeaders(res, ['Allow', 'GET, HEAD'])
    sendText(res, 405, 'Method not allowed.\n')
  }
}

const readStyle = (): string =>
  ['../site/assets/tokens.css', './operator/operator.css']
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
    .join('\n')

const daysOf = ({ url = '' }: IncomingMessage): number =>
  readDays(new URLSearchParams(url.split('?').slice(1).join('?')))

const send = (res: ServerResponse, contentType: string, content: string): void =>
  sendBody(res, 200, ['Content-Type', contentType], preparedBody(content))
