/** The key that signs offers and receipts: Ed25519, as PEM or JWK. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { JwsKey } from './jws-key.ts'
import { localJwsKey, readPrivateKey, readPublicKey } from './local-jws-key.ts'

/** Throws without quoting the text. */
export function readReceiptKey(text: string): JwsKey {
  const key = readPrivateKey(text)
  if (key === null) throw new Error('the receipt key is neither a PEM nor a JWK private key')
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the receipt key must be an Ed25519 key')
  return localJwsKey(key)
}

export const newReceiptKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

/** Takes a private key, too, and keeps its public part. Throws without quoting the text. */
export function readFormerReceiptKey(text: string): KeyObject {
  const key = readPublicKey(text)
  if (key?.asymmetricKeyType === 'ed25519') return key
  throw new Error('the former receipt key is neither a PEM nor a JWK key of Ed25519')
}
