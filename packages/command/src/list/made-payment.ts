import type { SettleResponse } from '@x402/core/types'
import type { Authorization } from '../../../../src/lists/statement/format.ts'
import { member } from '../buyer/json.ts'
import { isAuthorization } from '../statement/read-statement.ts'

/** What a charged payment brought, for the statement. */
export interface Bought {
  readonly settlement: SettleResponse
  /** Packed. */
  readonly request: string
  readonly results: string
}

export interface MadePayment {
  readonly id: number
  readonly amount: bigint
  readonly size: number
  readonly payTo: string | null
  /** Null if the answer was lost. */
  readonly bought: Bought | null
  /** Finds the payment on the chain if its answer was lost. */
  readonly authorization: Authorization | null
}

/** As the journal keeps it. */
export interface MadeRow extends Omit<Bought, 'settlement'> {
  readonly id: number
  readonly amount: number
  readonly size: number
  readonly payload: string
  readonly settlement: string | null
  readonly payTo: string | null
}

export function madePayment({
  id,
  amount,
  size,
  payload,
  settlement,
  payTo,
  request,
  results,
}: MadeRow): MadePayment {
  const made = { id, amount: BigInt(amount), size }
  if (settlement === null) return { ...made, bought: null, ...termsIn(payload) }
  const bought = { settlement: JSON.parse(settlement) as SettleResponse, request, results }
  return { ...made, payTo, bought, authorization: null }
}

/** What a signed payment says of itself. */
export function termsIn(payload: string): Pick<MadePayment, 'payTo' | 'authorization'> {
  const json: unknown = payload === '' ? {} : JSON.parse(payload)
  const { network, payTo } = member(json, 'accepted')
  const { from: payer, nonce, validBefore } = member(json, 'payload', 'authorization')
  const authorization = { network, payer, nonce, validBefore: Number(validBefore) }
  return {
    payTo: typeof payTo === 'string' ? payTo : null,
    authorization: isAuthorization(authorization) ? (authorization as Authorization) : null,
  }
}
