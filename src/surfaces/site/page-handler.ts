/** Serves whole pages under one Content-Security-Policy. */
import type { ServerResponse } from 'node:http'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import { compressedDocument } from '../../http/body/compressed-document.ts'
import type { SendProblem } from '../../http/body/problem.ts'
import { addHeaders, type HeaderList, preparedBody, sendBody } from '../../http/body/send.ts'
import { methodNotAllowed } from '../../http/method-not-allowed.ts'
import type { Handler, Middleware } from '../../http/middleware.ts'
import { VARY_ACCEPT } from './negotiate.ts'

const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
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

const POLICY_HEADER: HeaderList = ['Content-Security-Policy', POLICY]

export function fixedPage(sendProblem: SendProblem, route: string, body: string): Handler {
  const serve = compressedDocument(sendProblem, { route, body, contentType: HTML, maxAge: PAGE_AGE })
  return (req, res) => {
    addHeaders(res, POLICY_HEADER)
    serve(req, res)
  }
}

/** The Markdown form of a page. No shared cache keeps it: some ignore `Vary`, and would give it to browsers. */
export const markdownForm = (sendProblem: SendProblem, route: string, body: string): Handler =>
  compressedDocument(sendProblem, {
    route,
    body,
    contentType: MARKDOWN,
    maxAge: PAGE_AGE,
    isPrivate: true,
  })

export function livePage(sendProblem: SendProblem, route: string, render: () => Promise<string>): Middleware {
  const refuse = methodNotAllowed(sendProblem, ['GET', 'HEAD'])
  return function livePage(req, res, next) {
    setAccessLogFields(res, { route })
    if (req.method !== 'GET' && req.method !== 'HEAD') return refuse(req, res)
    render()
      .then((body) => sendPage(res, 200, body))
      .catch(next)
  }
}

/** Redirects from an address that people guess. */
export const redirectTo =
  (location: string): Handler =>
  (_req, res) => {
    sendBody(res, 308, ['Location', location], preparedBody(''))
  }

const LIVE_HEADERS: HeaderList = [
  ...VARY_ACCEPT,
  ...POLICY_HEADER,
  ...['Content-Type', HTML],
  ...['Cache-Control', 'no-store'],
]

export function sendPage(res: ServerResponse, status: number, page: string): void {
  sendBody(res, status, LIVE_HEADERS, preparedBody(page))
}
