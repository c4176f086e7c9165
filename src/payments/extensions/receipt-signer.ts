/**
 * Who signs offers and receipts, and how: JWS compact serialisation (RFC 7515) with EdDSA (RFC 8037) over canonical
 * JSON (RFC 8785), under a did:web key of the public host, as the offer-receipt extension of x402 asks (section 3.1).
 *
 * Signed with Node's own crypto because the package's issuer is asynchronous and reads the clock by itself, while a
 * receipt must be the same at every repetition. Ed25519 signatures are deterministic, so equal payloads give equal
 * signatures.
 */
import { createHash, type KeyObject } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { JwsKey } from '../ports/signer.ts'

export interface ReceiptIdentity {
  /** did:web of the public host. */
  readonly did: string
  /** The DID URL of the key, as it stands in each signature's header. */
  readonly kid: string
  /** The public key (RFC 7517). */
  readonly jwk: Readonly<Record<string, string>>
}

export interface ReceiptSigner extends ReceiptIdentity {
  /** Rejects with SignerUnavailable. */
  sign(payload: object): Promise<string>
}

/** Characters of the thumbprint that name a key: enough to tell keys apart, short because every 402 carries them. */
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

/** What is published of a key, whether it signs still or did so before. */
export function receiptIdentity(publicKey: KeyObject, baseUrl: string): ReceiptIdentity {
  const { kty, crv, x } = publicKey.export({ format: 'jwk' })
  if (kty !== 'OKP' || crv !== 'Ed25519' || x === undefined)
    throw new Error('receipts are signed with Ed25519')
  const did = `did:web:${encodeURIComponent(new URL(baseUrl).host)}`
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')
  const kid = `${did}#${thumbprint.slice(0, NAME_LENGTH)}`
  return { did, kid, jwk: { kty, crv, x, kid, use: 'sig', alg: 'EdDSA' } }
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
