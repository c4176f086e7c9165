import type { Hex } from 'viem'
import type { Purpose } from '../../../../ledger/treasury/treasury-row.ts'
import type { ContractCall } from '../../../chain/contract-call.ts'
import { authorizationOf } from '../../../chain/settlement-calls.ts'

export interface SendLimits {
  readonly purpose: Purpose
  /** Nothing is signed after this time; milliseconds of the monotonic clock. */
  readonly deadline: number
  /** UTC seconds of the chain's clock. */
  readonly expiresAt: number
}

export interface QueuedCall {
  readonly call: ContractCall
  readonly limits: SendLimits
  /** The transaction's hash; rejects only if nothing was sent and nothing can be sent later. */
  readonly hash: PromiseWithResolvers<Hex>
}

/** Only sales are sent together, so the first one's purpose is that of all. */
export function purposeOfAll(calls: readonly QueuedCall[]): Purpose {
  const [first] = calls
  if (first === undefined) throw new Error('a transaction makes a call')
  const { purpose } = first.limits
  if (purpose.kind !== 'sale') return purpose
  return { kind: 'sale', payers: calls.flatMap(({ call }) => authorizationOf(call.data)?.payer ?? []) }
}
