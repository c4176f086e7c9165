import type { KeyObject } from 'node:crypto'

/** A key that signs JWS (RFC 7515). */
export interface JwsKey {
  readonly publicKey: KeyObject
  /** Signs `header.payload` and returns base64url. Rejects with `SignerUnavailable` if a signer of its own does not answer. */
  sign(input: string): Promise<string>
}
