export type Json = Readonly<Record<string, unknown>>

/** The object at a path of a JSON value; an empty object if it is missing, since a reply may have any shape. */
export function member(json: unknown, ...path: readonly string[]): Json {
  const found = path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), json)
  return isObject(found) ? found : {}
}

/** The member if it is a string, else the fallback. */
export function textOf(json: Json, name: string, fallback = ''): string {
  const found = json[name]
  return typeof found === 'string' ? found : fallback
}

export const isObject = (json: unknown): json is Json =>
  typeof json === 'object' && json !== null && !Array.isArray(json)
