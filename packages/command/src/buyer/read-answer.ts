import type { SettleResponse } from '@x402/core/types'
import type { Verdict } from 'format-checker-checks/verdict'
import { isObject } from '../../../../src/values/json.ts'
import { member } from './json.ts'

/** Throws unless an answer is a verdict: another one proves nothing about the payment. */
export function verdictOf(json: unknown): Verdict {
  const { valid, normalized, reason } = member(json)
  const { code, hint, position, suspects, warnings, length, suggestedDomain } = member(json, 'details')
  const isVerdict =
    typeof valid === 'boolean' &&
    (normalized === null || typeof normalized === 'string') &&
    typeof reason === 'string' &&
    typeof code === 'string' &&
    [hint, suggestedDomain].every((text) => text === undefined || typeof text === 'string') &&
    (length === undefined || isObject(length)) &&
    isListOf('number', position === undefined ? [] : [position]) &&
    isListOf('number', suspects) &&
    isListOf('string', warnings)
  if (!isVerdict) throw new Error('the answer is no verdict')
  return json as Verdict
}

const isListOf = (type: 'number' | 'string', list: unknown = []): boolean =>
  Array.isArray(list) && list.every((each) => typeof each === type)

/** Throws unless a receipt has a transaction, which is an empty text for a call over a channel. */
export function settlementOf(json: unknown): SettleResponse {
  if (typeof member(json).transaction !== 'string') throw new Error('the receipt names no transaction')
  return json as SettleResponse
}
