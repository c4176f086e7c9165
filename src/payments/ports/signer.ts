import type { LocalAccount } from 'viem'
import type { JwsKey } from '../../receipts/jws-key.ts'

/** `spent`: it signs no more transactions today. */
export type SignerState = 'up' | 'away' | 'spent'

/** In this process or in another; null for a key that the service does not have. */
export interface Signer {
  readonly settlement: LocalAccount | null
  readonly authorizer: LocalAccount | null
  readonly receipt: JwsKey | null
  readonly card: JwsKey | null
  state(): SignerState
  close(): void
}

/** Thrown if no signature came back; one may have been made. */
export class SignerUnavailable extends Error {
  override readonly name = 'SignerUnavailable'
}
