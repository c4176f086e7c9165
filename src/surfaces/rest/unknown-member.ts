import { isObject } from '../../values/json.ts'

/** Without digits and "@", so that no identifier fits. */
const HARMLESS = /^[A-Za-z_-]{1,32}$/

/** Returns the first member that a body, or the item `index` of its list, may not have; undefined if it could hold a value. */
export function unknownMember(input: unknown, index?: number): string | undefined {
  const list = isObject(input) && Array.isArray(input.items) ? input.items : []
  const object = index === undefined ? input : list[index]
  const known = index === undefined ? ['value'] : ['type', 'value']
  const unknown = isObject(object) ? Object.keys(object).find((name) => !known.includes(name)) : undefined
  return unknown !== undefined && HARMLESS.test(unknown) ? unknown : undefined
}
