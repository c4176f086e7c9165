import { closest } from '../../catalog/closest.ts'
import { isObject } from '../../values/json.ts'

/** Longer names are near no member. */
const LONGEST = 8
/** A body may have a hundred thousand members. */
const MOST = 10

/**
 * Returns the member that another one of a body, or of the item `index` of its list, is a slip of. The slip itself is never
 * repeated: it may be a piece of the value.
 */
export function meantMember(input: unknown, index?: number): string | undefined {
  const list = isObject(input) && Array.isArray(input.items) ? input.items : []
  const object = index === undefined ? input : list[index]
  const known = index === undefined ? ['value'] : ['type', 'value']
  const unknown = isObject(object) ? Object.keys(object).filter((name) => !known.includes(name)) : []
  const slips = unknown.filter((name) => name.length <= LONGEST).slice(0, MOST)
  return slips.map((name) => closest(name.toLowerCase(), known)).find((name) => name !== undefined)
}
