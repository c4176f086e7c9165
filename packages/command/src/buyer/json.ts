import { isObject, type JsonObject } from '../../../../src/values/json.ts'

/** Returns an empty object if the path leads to no object: a reply may have any shape. */
export function member(json: unknown, ...path: readonly string[]): JsonObject {
  const found = path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), json)
  return isObject(found) ? found : {}
}

export function textOf(json: JsonObject, name: string, fallback = ''): string {
  const found = json[name]
  return typeof found === 'string' ? found : fallback
}
