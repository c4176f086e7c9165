import { type OutboundReply, sendRequest } from '../../../../src/outbound/send-request.ts'
import { parseJson } from '../../../../src/values/json.ts'
import { clockIn, type ServiceClock } from './clocks.ts'

export interface HttpReply {
  readonly status: number
  readonly headers: Headers
  readonly clock?: ServiceClock | undefined
  /** Null if the body is not JSON. */
  readonly json: unknown
}

/** Longer than the half minute a service may spend on a settlement, and larger than any answer: a thousand results take 2 MB. */
export const REPLY_BOUNDS = { timeoutMs: 60_000, mostBytes: 16 * 1024 * 1024 } as const

type RequestHeaders = Readonly<Record<string, string>>

/** Rejects unless a whole reply comes back, and on a redirect: a payment goes to `url` only. */
export const postJson = (
  url: string | URL,
  body: unknown,
  headers: RequestHeaders = {},
): Promise<HttpReply> =>
  askJson(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

export async function askJson(
  url: string | URL,
  request: {
    readonly method?: string
    readonly headers?: RequestHeaders
    readonly body?: string
    readonly timeoutMs?: number
  } = {},
): Promise<HttpReply> {
  return replyOf(await sendRequest({ ...REPLY_BOUNDS, ...request, expects: 'any', url: new URL(url) }))
}

export const replyOf = ({
  status,
  headers,
  text,
}: Pick<OutboundReply, 'status' | 'headers' | 'text'>): HttpReply => ({
  status,
  headers,
  clock: clockIn(headers),
  json: parseJson(text) ?? null,
})
