/** What is kept beside a sealed verdict so that its task can be shown again: the context id, and no more. */
import { isObject, parseObject } from '../request/json-object.ts'

/** Writes a memo; at most 160 bytes, since a context id has at most 128. */
export function writeMemo(contextId: string): string {
  return JSON.stringify({ contextId })
}

/** Reads the context id back; throws on a memo that `writeMemo` did not write. */
export function contextOf(memo: string): string {
  const object = parseObject(memo)
  if (isObject(object) && typeof object.contextId === 'string') return object.contextId
  throw new Error('a task has a memo that is not ours')
}
