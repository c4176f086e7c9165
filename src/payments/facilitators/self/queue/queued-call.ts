import type { Hex } from 'viem'
import type { Purpose } from '../../../../ledger/treasury/treasury-row.ts'
import type { ContractCall } from '../../../chain/contract-call.ts'

export interface SendLimits {
  readonly purpose: Purpose
  /** Nothing is signed after this time; milliseconds of the monotonic clock. */
  readonly deadline: number
  /** End of the authorization; UTC seconds of the chain's clock. */
  readonly expiresAt: number
}

export interface QueuedCall {
  readonly call: ContractCall
  readonly limits: SendLimits
  /** The transaction's hash; rejects only if nothing was sent and nothing can be sent later. */
  readonly hash: PromiseWithResolvers<Hex>
}
