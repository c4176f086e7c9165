/** The key that signs the agent card: P-256, configured as PEM or JWK. Errors never quote it. */
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { JwsKey } from '../../../receipts/jws-key.ts'
import { localJwsKey, readPrivateKey } from '../../../receipts/local-jws-key.ts'

export type Jwk = Readonly<Record<string, string>>

export interface CardKey extends JwsKey {
  readonly kid: string
  /** RFC 7517. */
  readonly jwks: { readonly keys: readonly Jwk[] }
}

/** Throws if the text is not a P-256 private key. */
export function readCardKey(text: string): CardKey {
  const key = readPrivateKey(text)
  if (key === null) throw new Error('the card key is not a private key in PEM or JWK form')
  return cardKey(localJwsKey(key))
}

export const newCardKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()

export function cardKey(key: JwsKey): CardKey {
  const jwk = publicJwk(key.publicKey)
  return { ...key, kid: jwk.kid, jwks: { keys: [jwk] } }
}

export function publicJwk(key: KeyObject): Jwk & { readonly kid: string } {
  const { kty, crv, x, y } = key.export({ format: 'jwk' })
  if (kty !== 'EC' || crv !== 'P-256' || x === undefined || y === undefined)
    throw new Error('the card key must be a P-256 key')
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  return { kty, crv, x, y, kid, use: 'sig', alg: 'ES256' }
}
