import { askJson } from './post-json.ts'

const FETCH_MS = 10_000

/** The DID document of a service, with its public keys; null if it does not answer with one. */
export async function fetchDidDocument(url: string): Promise<unknown> {
  try {
    const { status, json } = await askJson(new URL('/.well-known/did.json', url), { timeoutMs: FETCH_MS })
    return status === 200 ? json : null
  } catch {
    return null
  }
}
