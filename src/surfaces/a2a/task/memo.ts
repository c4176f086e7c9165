import type { PurchaseType } from '../../../ledger/payments/payment-row.ts'
import type { OfferedTerms } from '../request/extensions.ts'
import { parseObject } from '../request/parse-object.ts'

/** Stored beside a sealed verdict, so that its task can be shown again. */
export interface Memo {
  readonly contextId: string
  readonly terms: OfferedTerms
  readonly channels: boolean
  readonly list?: OrderedList
}

export interface OrderedList {
  readonly type: PurchaseType
  readonly items: number
}

/** Writes a memo; at most 1,200 bytes as JSON, since a context id has at most 256 characters. */
export function writeMemo({ contextId, terms, channels, list }: Memo): string {
  return JSON.stringify({
    contextId,
    ...(terms === '2' ? {} : { terms }),
    ...(channels && { channels }),
    list,
  })
}

/** Throws on a memo that `writeMemo` did not write. */
export function readMemo(memo: string): Memo {
  const { contextId, terms, channels, list } = parseObject(memo) ?? {}
  if (typeof contextId !== 'string') throw new Error('a task has a foreign memo')
  return {
    contextId,
    terms: terms === '1' ? '1' : '2',
    channels: channels === true,
    ...(list === undefined ? {} : { list: list as OrderedList }),
  }
}
