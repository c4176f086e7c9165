import { type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Credentials } from './http-facilitator.ts'

export interface CdpCredentialsOptions {
  /** Base URL of the facilitator; its host and path are part of what is signed. */
  readonly url: string
  readonly keyId: string
  /** EC P-256 or Ed25519. */
  readonly key: KeyObject
  /** UTC milliseconds. */
  readonly now?: () => number
}

const LIFETIME_SECONDS = 120

/**
 * A token of the Coinbase Developer Platform for each request, good for that one method and path.
 *
 * Source: docs.cdp.coinbase.com, API reference, Authentication; the claims are those the platform's own SDK signs
 * (coinbase/cdp-sdk, typescript/src/auth, 2026): ES256 or EdDSA, `kid` and `nonce` in the header, `uris` with method,
 * host and path.
 */
export function cdpCredentials({ url, keyId, key, now = Date.now }: CdpCredentialsOptions): Credentials {
  const base = url.endsWith('/') ? url : `${url}/`
  const alg = key.asymmetricKeyType === 'ed25519' ? 'EdDSA' : 'ES256'
  return async (path) => {
    const target = new URL(path, base)
    const method = path === 'supported' ? 'GET' : 'POST'
    const seconds = Math.floor(now() / 1000)
    const header = { alg, kid: keyId, typ: 'JWT', nonce: randomBytes(16).toString('hex') }
    const claims = {
      sub: keyId,
      iss: 'cdp',
      aud: ['cdp_service'],
      uris: [`${method} ${target.host}${target.pathname}`],
      iat: seconds,
      nbf: seconds,
      exp: seconds + LIFETIME_SECONDS,
    }
    return { authorization: `Bearer ${signToken(header, claims, key)}` }
  }
}

/** A compact JWS (RFC 7515); an ECDSA signature in it is r and s, 32 bytes each (RFC 7518, section 3.4). */
function signToken(header: object, claims: object, key: KeyObject): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const content = `${encode(header)}.${encode(claims)}`
  const signature =
    key.asymmetricKeyType === 'ed25519'
      ? sign(null, Buffer.from(content), key)
      : sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' })
  return `${content}.${signature.toString('base64url')}`
}
