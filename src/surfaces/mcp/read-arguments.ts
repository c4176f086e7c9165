import type { Purchase } from '../../payments/ports/sale.ts'
import { isObject, parseJson } from '../../values/json.ts'

/** Arguments, or a list in them, that a client wrote as a text of JSON, as what they stand for. */
export function decodeArguments(args: unknown): unknown {
  const object = typeof args === 'string' ? objectIn(args) : args
  if (!isObject(object) || typeof object.items !== 'string') return object
  const items = object.items.trimStart().startsWith('[') ? parseJson(object.items) : undefined
  return Array.isArray(items) ? { ...object, items } : object
}

function objectIn(text: string): unknown {
  const json = text.trimStart().startsWith('{') ? parseJson(text) : undefined
  return isObject(json) ? json : text
}

/** The arguments without members that their tool does not know: some hosts add their own (n8n: `toolCallId`). */
export const knownMembers = (shape: Purchase['shape'], json: unknown): unknown =>
  shape === 'single' ? only(json, VALUE) : withItems(only(json, ITEMS))

const VALUE = ['value'] as const
const ITEMS = ['items'] as const
const ITEM = ['type', 'value'] as const

const withItems = (json: unknown): unknown =>
  isObject(json) && Array.isArray(json.items) ? { items: json.items.map((item) => only(item, ITEM)) } : json

function only(json: unknown, names: readonly string[]): unknown {
  if (!isObject(json)) return json
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(json, name)).map((name) => [name, json[name]]),
  )
}
