import { type Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { type Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { parseJson } from '../../../values/json.ts'
import { FacilitatorFault, type Symptom } from '../facilitator-fault.ts'

const LARGEST_REPLY_BYTES = 64 * 1024

const NO_REPLY = { code: 'no_reply' } as const
const TOO_LARGE = { code: 'too_large' } as const

export interface JsonRequest {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly agent: HttpAgent | HttpsAgent
  /** When the whole reply must have arrived; milliseconds of the monotonic clock. */
  readonly deadline: number
  /** 64 kB by default. */
  readonly largestReplyBytes?: number
}

export interface JsonReply {
  readonly status: number
  /** Parsed; undefined if it is not JSON. */
  readonly body: unknown
}

/**
 * Follows no redirects; the deadline covers connecting, sending and reading. Rejects with {@link FacilitatorFault}:
 * `not_sent` while no connection was up, `unknown` afterwards.
 */
export function requestJson({
  url,
  method,
  headers,
  body,
  agent,
  deadline,
  largestReplyBytes = LARGEST_REPLY_BYTES,
}: JsonRequest): Promise<JsonReply> {
  if (deadline <= performance.now())
    return Promise.reject(new FacilitatorFault('not_sent', 'no time is left', { symptom: NO_REPLY }))
  const secure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    let connected = false
    const fail = (message: string, why: ErrorOptions & { readonly symptom?: Symptom }) => {
      clearTimeout(timer)
      request.destroy()
      reject(new FacilitatorFault(connected ? 'unknown' : 'not_sent', message, why))
    }
    const request = (secure ? httpsRequest : httpRequest)(url, { method, headers, agent })
    const timer = setTimeout(
      () => fail('no reply in time', { symptom: NO_REPLY }),
      deadline - performance.now(),
    )
    request.once('socket', (socket) => {
      const up = () => {
        connected = true
      }
      // A reused socket emits neither event again. TLS is set up only after `connecting`.
      if (socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', up)
      else if (!socket.destroyed) up()
    })
    request.on('error', (error) => fail('the connection failed', { cause: error }))
    request.once('response', (response) => {
      readBounded(response, largestReplyBytes).then(
        (text) => {
          clearTimeout(timer)
          resolve({ status: response.statusCode ?? 0, body: parseJson(text) })
        },
        (cause: unknown) => fail('the reply could not be read', { cause }),
      )
    })
    request.end(body)
  })
}

async function readBounded(response: IncomingMessage, most: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) throw new FacilitatorFault('unknown', 'the reply is too large', { symptom: TOO_LARGE })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
