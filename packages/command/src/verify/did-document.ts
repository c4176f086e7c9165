import { readText } from '../buyer/post-json.ts'

const FETCH_MS = 10_000

/** The DID document of a service, with its public keys; null if it does not answer with one. */
export async function fetchDidDocument(url: string): Promise<unknown> {
  try {
    const response = await fetch(new URL('/.well-known/did.json', url), {
      redirect: 'error',
      signal: AbortSignal.timeout(FETCH_MS),
    })
    // Any service may be named, so its document has a bound.
    return response.ok ? (JSON.parse(await readText(response)) as unknown) : null
  } catch {
    return null
  }
}
