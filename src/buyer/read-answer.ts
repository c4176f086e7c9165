import type { SettleResponse } from '@x402/core/types'
import type { Verdict } from '../checks/verdict.ts'
import { member } from './json.ts'

/** Throws unless an answer is a verdict: another one proves nothing about the payment. */
export function verdictOf(json: unknown): Verdict {
  const { valid, normalized, reason, details } = member(json)
  const isVerdict =
    typeof valid === 'boolean' &&
    (normalized === null || typeof normalized === 'string') &&
    typeof reason === 'string' &&
    typeof member(details).code === 'string'
  if (!isVerdict) throw new Error('the answer is no verdict')
  return json as Verdict
}

/** Throws unless a receipt has a transaction, which is an empty text for a call over a channel. */
export function settlementOf(json: unknown): SettleResponse {
  if (typeof member(json).transaction !== 'string') throw new Error('the receipt names no transaction')
  return json as SettleResponse
}
