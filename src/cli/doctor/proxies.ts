import { DOCTOR_HEADER, doctorToken, FORWARDED_HEADER } from '../../app/public/count-forwarded.ts'
import type { LiveConfig } from '../../config.ts'
import { sendRequest } from '../../outbound/send-request.ts'
import type { Keyring } from '../../payments/secrets/keyring.ts'
import { type Finding, fail, warn } from './finding.ts'

const TIMEOUT_MS = 10_000
const LARGEST_REPLY_BYTES = 64 * 1024

/**
 * Compares TRUST_PROXY with the addresses that the service counts in X-Forwarded-For. No line if all is well, or if the
 * service does not answer or has another SECRET_KEY.
 */
export async function checkProxies(
  { baseUrl, app: { limits } }: LiveConfig,
  keys: Keyring,
): Promise<readonly Finding[]> {
  // Addresses of documentation (RFC 5737).
  const [one, two] = await Promise.all(
    ['192.0.2.1', '192.0.2.1, 192.0.2.2'].map((forwarded) => countAt(baseUrl, doctorToken(keys), forwarded)),
  )
  if (one == null || two == null) return []
  // If the first proxy replaces the client's list, both counts are equal and nothing can be forged.
  const isForgeable = two > one
  const proxies = isForgeable ? one - 1 : one
  const { trustedProxies } = limits
  const differs = `TRUST_PROXY is ${trustedProxies}, and the proxies seen from here are ${proxies}: clients`
  const advice = `Set TRUST_PROXY=${proxies}.`
  if (trustedProxies > proxies && isForgeable)
    return [fail('proxies', `${differs} can forge addresses`, advice)]
  if (trustedProxies < proxies) return [warn('proxies', `${differs} share one limit`, advice)]
  if (proxies > 0 || baseUrl.startsWith('http:')) return []
  const found = 'the proxy in front does not write X-Forwarded-For: clients share one limit'
  return [warn('proxies', found, 'Let it append the address of its caller, and count it in TRUST_PROXY.')]
}

/** Null without an answer. */
async function countAt(baseUrl: string, token: string, forwarded: string): Promise<number | null> {
  const headers = { [DOCTOR_HEADER]: token, 'X-Forwarded-For': forwarded }
  try {
    // POST, since a proxy could cache a GET.
    const reply = await sendRequest({
      url: new URL('/doctor', baseUrl),
      method: 'POST',
      headers,
      timeoutMs: TIMEOUT_MS,
      mostBytes: LARGEST_REPLY_BYTES,
      expects: 'any',
    })
    const count = reply.headers.get(FORWARDED_HEADER)
    return count === null ? null : Number(count)
  } catch {
    return null
  }
}
