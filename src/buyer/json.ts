export type Json = Readonly<Record<string, unknown>>

/** The member of a JSON object, an empty object where there is none: what strangers send may have any shape. */
export function member(json: unknown, ...path: readonly string[]): Json {
  const found = path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), json)
  return isObject(found) ? found : {}
}

/** The member if it is a string, else what is given for it. */
export function textOf(json: Json, name: string, otherwise = ''): string {
  const found = json[name]
  return typeof found === 'string' ? found : otherwise
}

export const isObject = (json: unknown): json is Json =>
  typeof json === 'object' && json !== null && !Array.isArray(json)
