import type { PurchaseType } from '../../../ledger/payments/payment-row.ts'
import type { OfferedTerms } from '../request/extensions.ts'
import { parseObject } from '../request/parse-object.ts'

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
  const { contextId, terms, channels, list } = parseObject(pendingOrder) ?? {}
  if (typeof contextId !== 'string') throw new Error('a task has a foreign pending order')
  return {
    contextId,
    terms: terms === '1' ? '1' : '2',
    asksForAllSchemes: channels === true,
    ...(list === undefined ? {} : { list: list as OrderedList }),
  }
}
