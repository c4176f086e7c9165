import { type KeyObject, randomBytes } from 'node:crypto'
import type { Credentials } from './http-facilitator.ts'

export interface CdpCredentialsOptions {
  readonly url: string
  readonly keyId: string
  /** EC P-256 or Ed25519. */
  readonly key: KeyObject
  /** UTC milliseconds. */
  readonly now?: () => number
}

const LIFETIME_SECONDS = 120

/**
 * Signs a token for each request, valid for that method and path only. Source: docs.cdp.coinbase.com, API reference,
 * Authentication. The claims are those of the platform's own SDK (coinbase/cdp-sdk, typescript/src/auth, 2026).
 */
export function cdpCredentials({ url, keyId, key, now = Date.now }: CdpCredentialsOptions): Credentials {
  const base = url.endsWith('/') ? url : `${url}/`
  const alg = key.asymmetricKeyType === 'ed25519' ? 'EdDSA' : 'ES256'
  return async (path) => {
    const { SignJWT } = await import('jose')
    const target = new URL(path, base)
    const method = path === 'supported' ? 'GET' : 'POST'
    const seconds = Math.floor(now() / 1000)
    const token = await new SignJWT({ uris: [`${method} ${target.host}${target.pathname}`] })
      .setProtectedHeader({ alg, kid: keyId, typ: 'JWT', nonce: randomBytes(16).toString('hex') })
      .setSubject(keyId)
      .setIssuer('cdp')
      .setAudience(['cdp_service'])
      .setIssuedAt(seconds)
      .setNotBefore(seconds)
      .setExpirationTime(seconds + LIFETIME_SECONDS)
      .sign(key)
    return { authorization: `Bearer ${token}` }
  }
}
