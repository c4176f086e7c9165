/**
 * Error bodies as RFC 9457 problem details, with our own stable `code` beside the five standard members.
 *
 * The body of every code is a constant, so it is serialised once at boot.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { ERRORS, type ErrorCode } from '../errors.ts'
import { noteFacts } from './facts.ts'

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ErrorCode
}

export interface ProblemOptions {
  readonly headers?: OutgoingHttpHeaders
  /** Further members after the five; only our own words and public payment data. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** Ends a response with the problem of a code. */
export type SendProblem = (res: ServerResponse, code: ErrorCode, options?: ProblemOptions) => void

/** The problem object of a code; `type` is a URL on this service that explains it. */
export function problemOf(baseUrl: string, code: ErrorCode): Problem {
  const { title, status, detail } = ERRORS[code]
  return { type: `${baseUrl}/errors#${code}`, title, status, detail, code }
}

/**
 * Builds the sender of all problems under one base URL.
 *
 * Problems are never cached: whether one is met again depends on what the client does next.
 */
export function problemSender(baseUrl: string): SendProblem {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  const problems = new Map(codes.map((code) => [code, problemOf(baseUrl, code)]))
  const bodies = new Map(codes.map((code) => [code, Buffer.from(JSON.stringify(problems.get(code)))]))

  return function sendProblem(res, code, options = {}) {
    const body =
      options.members === undefined
        ? bodies.get(code)
        : Buffer.from(JSON.stringify({ ...problems.get(code), ...options.members }))
    noteFacts(res, { code })
    res.writeHead(ERRORS[code].status, {
      'Content-Type': PROBLEM_TYPE,
      'Content-Length': body?.length,
      'Cache-Control': 'no-store',
      ...options.headers,
    })
    res.end(body)
  }
}
