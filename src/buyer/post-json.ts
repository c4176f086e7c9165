export interface HttpReply {
  readonly status: number
  readonly headers: Headers
  /** Null if the body is not JSON. */
  readonly json: unknown
}

/** Longer than the half minute a service may spend on a settlement. */
const TIMEOUT_MS = 60_000

/** Posts JSON; rejects unless a whole reply comes back. Redirects are not followed: a payment goes to `url` only. */
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
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  return readReply(response)
}

/** Reads a whole reply. */
export async function readReply(response: Response): Promise<HttpReply> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
