import { type OutboundRequest, sendRequest } from './send-request.ts'

/** Returns a `fetch` for libraries, over {@link sendRequest}: whole replies in JSON, no redirects. */
export function outboundFetch(
  bounds: Pick<OutboundRequest, 'timeoutMs' | 'mostBytes' | 'isNamed'>,
): typeof fetch {
  return async (input, init) => {
    const { url, method, headers, body, signal } = new Request(input, init)
    const { status, statusText, text, ...reply } = await sendRequest({
      ...bounds,
      url: new URL(url),
      method,
      headers: Object.fromEntries(headers),
      body: body === null ? undefined : await new Response(body).text(),
      signal,
    }).catch((error: unknown) => {
      // As `fetch` does: libraries recognize their own time-outs by it.
      throw signal.aborted ? signal.reason : error
    })
    const isEmpty = status === 204 || status === 205
    return new Response(isEmpty ? null : text, { status, statusText, headers: reply.headers })
  }
}
