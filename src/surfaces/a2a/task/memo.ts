/** What is stored beside a sealed verdict so that its task can be shown again. */

import { isObject } from '../../../json.ts'
import type { PurchaseType } from '../../../ledger/payment-row.ts'
import type { OfferedTerms } from '../request/offered-terms.ts'
import { parseObject } from '../request/parse-object.ts'

export interface Memo {
  readonly contextId: string
  readonly terms: OfferedTerms
  /** True if its client asked for the offer of payment channels. */
  readonly channels: boolean
  /** Present for a list. */
  readonly list?: OrderedList
}

export interface OrderedList {
  readonly type: PurchaseType
  readonly items: number
}

/** Writes a memo; at most 250 bytes, since a context id has at most 128. */
export function writeMemo({ contextId, terms, channels, list }: Memo): string {
  return JSON.stringify({
    contextId,
    ...(terms === '2' ? {} : { terms }),
    ...(channels && { channels }),
    list,
  })
}

/** Reads a memo; throws on one that `writeMemo` did not write. */
export function readMemo(memo: string): Memo {
  const object = parseObject(memo)
  if (!isObject(object) || typeof object.contextId !== 'string') throw new Error('a task has a foreign memo')
  const { contextId, list } = object
  const terms = object.terms === '1' ? '1' : '2'
  const read = { contextId, terms, channels: object.channels === true } as const
  return list === undefined ? read : { ...read, list: list as OrderedList }
}
