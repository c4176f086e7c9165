export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Undefined if the text is not JSON. The engine's message quotes the text, so nothing of the error is kept. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFreeze(member)
  }
  return value
}

/** A value as a payment header carries it (x402, HTTP transport): base64 of its JSON in UTF-8. */
export const encodeHeader = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')
