import type { Hex } from 'viem'
import type { Purpose } from '../../../ledger/treasury-store.ts'
import type { ContractCall } from './gas.ts'

export interface SendLimits {
  readonly purpose: Purpose
  /** Nothing is signed after this time; milliseconds of the monotonic clock. */
  readonly deadline: number
  /** End of the authorization; UTC seconds of the chain's clock. */
  readonly expiresAt: number
}

/** A call, and who waits for the hash of its transaction. */
export interface QueuedCall {
  readonly call: ContractCall
  readonly limits: SendLimits
  /** Rejects only if nothing was sent or can be later. */
  readonly hash: PromiseWithResolvers<Hex>
}
