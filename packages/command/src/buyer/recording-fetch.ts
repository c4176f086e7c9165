import { member, textOf } from './json.ts'
import { type HttpReply, REPLY_TIMEOUT_MS, readText, replyOf } from './post-json.ts'
import { type Refusal, UNKNOWN } from './reply.ts'

/** A fetch for a library that hides the status, Retry-After and the code of an error from its caller. */
export interface RecordingFetch {
  readonly fetch: typeof fetch
  last(): HttpReply | undefined
}

/** Records one request at a time. If `service` is https, rejects an address without TLS, which the agent's card may name. */
export function createRecordingFetch(service: string): RecordingFetch {
  const isPrivate = isTls(service)
  let last: HttpReply | undefined
  return {
    fetch: async (input, init) => {
      last = undefined
      if (isPrivate && !isTls(input)) throw new Error('an address without TLS')
      const response = await fetch(input, {
        ...init,
        redirect: 'error',
        signal: AbortSignal.timeout(REPLY_TIMEOUT_MS),
      })
      const { status, statusText, headers } = response
      const text = await readText(response)
      last = replyOf(response, text)
      return new Response(text, { status, statusText, headers })
    },
    last: () => last,
  }
}

const isTls = (input: Parameters<typeof fetch>[0]): boolean =>
  new URL(input instanceof Request ? input.url : input).protocol === 'https:'

export function rpcRefusal(reply: HttpReply | undefined): Refusal | undefined {
  if (reply === undefined) return undefined
  const error = member(reply.json, 'error')
  const details = Array.isArray(error.data) ? error.data : []
  const codes = details.map((each) => textOf(member(each, 'metadata'), 'code')).filter((code) => code !== '')
  return { status: reply.status, code: codes[0] ?? UNKNOWN, detail: textOf(error, 'message') }
}
