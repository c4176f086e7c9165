import type { KeyObject } from 'node:crypto'
import type { LocalAccount } from 'viem'

/** A key that signs JWS (RFC 7515). */
export interface JwsKey {
  readonly publicKey: KeyObject
  /** The signature of `header.payload`, base64url. Rejects with {@link SignerUnavailable}. */
  sign(input: string): Promise<string>
}

/** `spent`: it signs no more transactions today. */
export type SignerState = 'up' | 'away' | 'spent'

/** The asymmetric keys of a service, in this process or out of its reach; null for one that it does not hold. */
export interface Signer {
  /** Pays for settlements. */
  readonly settlement: LocalAccount | null
  /** Signs claims and refunds of payment channels. */
  readonly authorizer: LocalAccount | null
  readonly receipt: JwsKey | null
  readonly card: JwsKey | null
  state(): SignerState
  close(): void
}

/** Thrown if a signature was not given; it may have been made, and is lost. */
export class SignerUnavailable extends Error {
  override readonly name = 'SignerUnavailable'
}
