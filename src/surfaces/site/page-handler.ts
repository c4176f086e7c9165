/** Serves whole pages under one Content-Security-Policy. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import { compressedDocument } from '../../http/body/compressed-document.ts'
import type { SendProblem } from '../../http/body/problem.ts'
import { methodNotAllowed } from '../../http/method-not-allowed.ts'
import type { Handler, Middleware } from '../../http/middleware.ts'

const HTML = 'text/html; charset=utf-8'
export const MARKDOWN = 'text/markdown; charset=utf-8'
/** Seconds; short, because a page names its assets by the hash of their content. */
export const PAGE_AGE = 60

/** A page may load files of this origin, send requests to this origin, and nothing else. */
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

/** A page that is the same for every client. */
export function fixedPage(sendProblem: SendProblem, route: string, body: string): Handler {
  const serve = compressedDocument(sendProblem, { route, body, contentType: HTML, maxAge: PAGE_AGE })
  return (req, res) => {
    res.setHeader('Content-Security-Policy', POLICY)
    serve(req, res)
  }
}

/** A page that is made for each request. */
export function livePage(sendProblem: SendProblem, route: string, render: () => Promise<string>): Middleware {
  const refuse = methodNotAllowed(sendProblem, ['GET', 'HEAD'])
  return function livePage(req, res, next) {
    setAccessLogFields(res, { route })
    if (req.method !== 'GET' && req.method !== 'HEAD') return refuse(req, res)
    render()
      .then((body) => sendPage(req, res, 200, body))
      .catch(next)
  }
}

/** Redirects from an address that people guess. */
export const redirectTo =
  (location: string): Handler =>
  (_req, res) => {
    res.writeHead(308, { Location: location, 'Content-Length': 0 }).end()
  }

/** Sends a page that no cache keeps. */
export function sendPage(req: IncomingMessage, res: ServerResponse, status: number, page: string): void {
  const body = Buffer.from(page)
  res.appendHeader('Vary', 'Accept')
  res.writeHead(status, {
    'Content-Security-Policy': POLICY,
    'Content-Type': HTML,
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
  })
  res.end(req.method === 'HEAD' ? undefined : body)
}
