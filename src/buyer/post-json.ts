export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  /** Null where the body is no JSON. */
  readonly json: unknown
}

/** A paid answer waits for a settlement, which a service may give half a minute. */
const TIMEOUT_MS = 60_000

/** Posts JSON; rejects when no whole answer comes back. Redirects are not followed: a payment goes where it was meant to. */
export async function postJson(
  url: string | URL,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  return readAnswer(response)
}

/** Reads a whole answer. */
export async function readAnswer(response: Response): Promise<HttpAnswer> {
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
