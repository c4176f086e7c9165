import { parseJson } from '../../../../src/values/json.ts'

export interface HttpReply {
  readonly status: number
  readonly headers: Headers
  /** Null if the body is not JSON. */
  readonly json: unknown
}

/** Longer than the half minute a service may spend on a settlement. */
export const REPLY_TIMEOUT_MS = 60_000

/** Larger than any answer: a thousand results take some two megabytes. */
const LARGEST_REPLY_BYTES = 16 * 1024 * 1024

/** Rejects unless a whole reply comes back, and on a redirect: a payment goes to `url` only. */
export async function postJson(
  url: string | URL,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpReply> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REPLY_TIMEOUT_MS),
  })
  return readReply(response)
}

export const readReply = async (response: Response): Promise<HttpReply> =>
  replyOf(response, await readText(response))

export const replyOf = ({ status, headers }: Response, text: string): HttpReply => ({
  status,
  headers,
  json: parseJson(text) ?? null,
})

/** Rejects as soon as the text is too large. */
export async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > LARGEST_REPLY_BYTES) throw new Error('the reply is too large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
