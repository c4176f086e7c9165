/**
 * JWS compact serialisation (RFC 7515) with EdDSA (RFC 8037) over canonical JSON (RFC 8785), under a did:web key of the
 * public host (x402 extension offer-and-receipt, section 3.1). Equal payloads give equal signatures. The package's
 * issuer reads the clock by itself.
 */
import { hash, type KeyObject } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { JwsKey } from './jws-key.ts'

export interface ReceiptIdentity {
  readonly did: string
  /** DID URL of the key, in the header of each signature. */
  readonly kid: string
  /** The public key (RFC 7517). */
  readonly jwk: Readonly<Record<string, string>>
}

export interface ReceiptSigner extends ReceiptIdentity {
  /** Rejects with SignerUnavailable. */
  sign(payload: object): Promise<string>
}

/** Characters of the thumbprint that name a key; few, because every 402 carries them. */
const NAME_LENGTH = 8

export function createReceiptSigner(key: JwsKey, baseUrl: string): ReceiptSigner {
  const identity = receiptIdentity(key.publicKey, baseUrl)
  const header = encode({ alg: 'EdDSA', kid: identity.kid })
  return {
    ...identity,
    async sign(payload) {
      const input = `${header}.${Buffer.from(canonicalize(payload) as string).toString('base64url')}`
      return `${input}.${await key.sign(input)}`
    },
  }
}

/** What is published of a key, also of one that no longer signs. */
export function receiptIdentity(publicKey: KeyObject, baseUrl: string): ReceiptIdentity {
  const { kty, crv, x } = publicKey.export({ format: 'jwk' })
  if (kty !== 'OKP' || crv !== 'Ed25519' || x === undefined)
    throw new Error('receipts are signed with Ed25519')
  const did = `did:web:${encodeURIComponent(new URL(baseUrl).host)}`
  const thumbprint = hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url')
  const kid = `${did}#${thumbprint.slice(0, NAME_LENGTH)}`
  return { did, kid, jwk: { kty, crv, x, kid, use: 'sig', alg: 'EdDSA' } }
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
