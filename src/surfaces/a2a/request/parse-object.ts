import { isObject, type JsonObject } from '../../../json.ts'

/** How deep JSON of a client may be nested; a payment payload needs about ten levels. */
const MAX_DEPTH = 48

/** Returns true if JSON is nested no deeper than a client needs, so that recursion over it cannot exhaust the stack. */
export function isShallow(value: unknown, depth: number = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((member) => isShallow(member, depth - 1))
}

/** Parses a text that is a JSON object; undefined for any other text, and for one nested too deeply. */
export function parseObject(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const json: unknown = JSON.parse(text)
    return isObject(json) && isShallow(json) ? json : undefined
  } catch {
    return undefined
  }
}
