import { isObject, type JsonObject, parseJson } from '../../../values/json.ts'

/** A payment payload needs about ten levels. */
const MAX_DEPTH = 48

/** Returns false for JSON that is nested so deeply that recursion over it could exhaust the stack. */
export function isShallow(value: unknown, depth: number = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((member) => isShallow(member, depth - 1))
}

export function parseObject(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  const json = parseJson(text)
  return isObject(json) && isShallow(json) ? json : undefined
}

/** The first and last line of a code block in Markdown, into which models put values and data parts. */
const FENCE = /^ {0,3}(?:```+|~~~+)[\w+-]*[ \t]*\r?$/gm

export const withoutFences = (text: string): string => text.replace(FENCE, '')
