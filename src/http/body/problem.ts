import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { type Charged, consequencesOf, ERRORS, type ErrorCode, type Retry } from '../../errors.ts'
import { setAccessLogFields } from '../access-log-fields.ts'
import { acceptedHeaders } from '../headers/accepted.ts'
import { headerList, preparedBody, sendBody } from './send.ts'

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** An error body: RFC 9457 problem details with a stable `code`. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ErrorCode
  readonly charged: Charged
  readonly retry: Retry
}

export interface ProblemOptions {
  readonly headers?: OutgoingHttpHeaders
  /** Further members, made of our own words and public payment data only. */
  readonly members?: Readonly<Record<string, unknown>>
}

export type SendProblem = (res: ServerResponse, code: ErrorCode, options?: ProblemOptions) => void

const USUAL_HEADERS: OutgoingHttpHeaders = { 'Content-Type': PROBLEM_TYPE, 'Cache-Control': 'no-store' }

/** Returns the problem of an error code; `type` is the page on this service that explains it. */
export function problemOf(baseUrl: string, code: ErrorCode): Problem {
  const { title, status, detail } = ERRORS[code]
  return { type: `${baseUrl}/errors#${code}`, title, status, detail, code, ...consequencesOf(code) }
}

/** Returns the function that sends problems; every body is serialised once, at startup. Problems are never cached. */
export function problemSender(baseUrl: string): SendProblem {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  const problems = new Map(codes.map((code) => [code, problemOf(baseUrl, code)]))
  const bodies = new Map(codes.map((code) => [code, preparedBody(JSON.stringify(problems.get(code)))]))
  const usual = new Map(codes.map((code) => [code, { ...USUAL_HEADERS, ...acceptedHeaders(code) }]))
  const lists = new Map([...usual].map(([code, headers]) => [code, headerList(headers)]))

  return function sendProblem(res, code, { headers, members } = {}) {
    const body =
      members === undefined
        ? bodies.get(code)
        : preparedBody(JSON.stringify({ ...problems.get(code), ...members }))
    setAccessLogFields(res, { code })
    const list = headers === undefined ? lists.get(code) : headerList({ ...usual.get(code), ...headers })
    sendBody(res, ERRORS[code].status, list ?? [], body)
  }
}
