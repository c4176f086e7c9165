import type { PurchaseType } from '../../../ledger/payments/payment-row.ts'
import { isObject, parseJson } from '../../../values/json.ts'
import type { OfferedTerms } from '../protocol/extensions.ts'

/** Stored beside a sealed verdict, so that its task can be shown again. */
export interface PendingOrder {
  readonly contextId: string
  readonly terms: OfferedTerms
  /** The client asked for the terms of all schemes. */
  readonly asksForAllSchemes: boolean
  readonly list?: OrderedList
}

export interface OrderedList {
  readonly type: PurchaseType
  readonly items: number
}

/** Writes a pending order; at most 1,200 bytes as JSON, since a context id has at most 256 characters. */
export function writePendingOrder({ contextId, terms, asksForAllSchemes, list }: PendingOrder): string {
  return JSON.stringify({
    contextId,
    ...(terms === '2' ? {} : { terms }),
    ...(asksForAllSchemes && { channels: true }),
    list,
  })
}

/** Throws on a pending order that `writePendingOrder` did not write. */
export function readPendingOrder(pendingOrder: string): PendingOrder {
  const stored = parseJson(pendingOrder)
  const { contextId, terms, channels, list } = isObject(stored) ? stored : {}
  if (typeof contextId !== 'string') throw new Error('a task has a foreign pending order')
  return {
    contextId,
    terms: terms === '1' ? '1' : '2',
    asksForAllSchemes: channels === true,
    ...(list === undefined ? {} : { list: list as OrderedList }),
  }
}
