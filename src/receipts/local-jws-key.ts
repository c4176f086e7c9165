import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { JwsKey } from './jws-key.ts'

/** A JWS key in this process: Ed25519 (EdDSA) or P-256 (ES256). */
export function localJwsKey(privateKey: KeyObject): JwsKey {
  const [digest, key] =
    privateKey.asymmetricKeyType === 'ec'
      ? (['sha256', { key: privateKey, dsaEncoding: 'ieee-p1363' }] as const)
      : ([null, privateKey] as const)
  return {
    publicKey: createPublicKey(privateKey),
    sign: async (input) => sign(digest, Buffer.from(input), key).toString('base64url'),
  }
}

/** A private key as PEM or JWK; null for any other text. */
export const readPrivateKey = (text: string): KeyObject | null =>
  orNull(() =>
    isJwk(text) ? createPrivateKey({ key: JSON.parse(text), format: 'jwk' }) : createPrivateKey(text),
  )

/** The public part of a key as PEM or JWK, given whole or alone; null for any other text. */
export const readPublicKey = (text: string): KeyObject | null =>
  orNull(() =>
    isJwk(text) ? createPublicKey({ key: JSON.parse(text), format: 'jwk' }) : createPublicKey(text),
  )

/** What the readers throw may quote the key, so none of it gets out. */
function orNull(read: () => KeyObject): KeyObject | null {
  try {
    return read()
  } catch {
    return null
  }
}

const isJwk = (text: string) => text.trimStart().startsWith('{')
