import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { JwsKey } from './signer.ts'

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
