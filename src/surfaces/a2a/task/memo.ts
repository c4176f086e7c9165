/** What is stored beside a sealed verdict so that its task can be shown again. */
import { isObject, parseObject } from '../request/json-object.ts'
import { OFFERED_TERMS, type OfferedTerms } from '../request/offered-terms.ts'

export interface Memo {
  readonly contextId: string
  readonly terms: OfferedTerms
}

/** Writes a memo; at most 170 bytes, since a context id has at most 128. */
export function writeMemo({ contextId, terms }: Memo): string {
  return JSON.stringify(terms === '2' ? { contextId } : { contextId, terms })
}

/** Reads a memo; throws on one that `writeMemo` did not write. */
export function readMemo(memo: string): Memo {
  const object = parseObject(memo)
  if (!isObject(object) || typeof object.contextId !== 'string') throw new Error('a task has a foreign memo')
  const terms = OFFERED_TERMS.find((known) => known === object.terms) ?? '2'
  return { contextId: object.contextId, terms }
}
