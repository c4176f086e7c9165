import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { type Charged, consequencesOf, ERRORS, type ErrorCode, type Retry } from '../../errors.ts'
import { setAccessLogFields } from '../access-log-fields.ts'
import { acceptedHeaders } from '../headers/accepted.ts'
import { headerList, preparedBody, sendBody } from './send.ts'

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** RFC 9457 problem details with a stable `code`. */
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
  /** Fixed texts and public payment data alone. */
  readonly members?: Readonly<Record<string, unknown>>
}

export type SendProblem = (res: ServerResponse, code: ErrorCode, options?: ProblemOptions) => void

const USUAL_HEADERS: OutgoingHttpHeaders = { 'Content-Type': PROBLEM_TYPE, 'Cache-Control': 'no-store' }

/** `type` is the page that explains the code. */
export function problemOf(baseUrl: string, code: ErrorCode): Problem {
  const { title, status, detail } = ERRORS[code]
  return { type: `${baseUrl}/errors#${code}`, title, status, detail, code, ...consequencesOf(code) }
}

export function problemSender(baseUrl: string): SendProblem {
  const prepare = (code: ErrorCode) => {
    const problem = problemOf(baseUrl, code)
    const usual = { ...USUAL_HEADERS, ...acceptedHeaders(code) }
    return { problem, usual, list: headerList(usual), body: preparedBody(JSON.stringify(problem)) }
  }
  const prepared = new Map((Object.keys(ERRORS) as ErrorCode[]).map((code) => [code, prepare(code)]))

  return function sendProblem(res, code, { headers, members } = {}) {
    setAccessLogFields(res, { code })
    const { problem, usual, list, body } = prepared.get(code)!
    sendBody(
      res,
      problem.status,
      headers === undefined ? list : headerList({ ...usual, ...headers }),
      members === undefined ? body : preparedBody(JSON.stringify({ ...problem, ...members })),
    )
  }
}
