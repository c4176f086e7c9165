import { outboundFetch } from '../../../../src/outbound/outbound-fetch.ts'
import { member, textOf } from './json.ts'
import { type HttpReply, REPLY_BOUNDS, replyOf } from './post-json.ts'
import { type Refusal, UNKNOWN } from './reply.ts'

/**
 * A fetch for a library that hides the status, Retry-After and the code of an error from its caller. Records one request at a
 * time. If `service` is https, rejects an address without TLS, which the agent's card may name.
 */
export function createRecordingFetch(service: string) {
  const isPrivate = isTls(service)
  let last: HttpReply | undefined
  return {
    fetch: async (...[input, init]: Parameters<typeof fetch>) => {
      last = undefined
      if (isPrivate && !isTls(input)) throw new Error('an address without TLS')
      // The agent's card may name another host than the buyer did.
      const isNamed = new URL(addressOf(input)).host === new URL(service).host
      const response = await outboundFetch({ ...REPLY_BOUNDS, isNamed })(input, init)
      const { status, headers } = response
      last = replyOf({ status, headers, text: await response.clone().text() })
      return response
    },
    last: () => last,
  }
}

const addressOf = (input: Parameters<typeof fetch>[0]) => (input instanceof Request ? input.url : input)
const isTls = (input: Parameters<typeof fetch>[0]): boolean => new URL(addressOf(input)).protocol === 'https:'

export function rpcRefusal(reply: HttpReply | undefined): Refusal | undefined {
  if (reply === undefined) return undefined
  const error = member(reply.json, 'error')
  const details = Array.isArray(error.data) ? error.data : []
  const codes = details.map((each) => textOf(member(each, 'metadata'), 'code')).filter((code) => code !== '')
  return { status: reply.status, code: codes[0] ?? UNKNOWN, detail: textOf(error, 'message') }
}
