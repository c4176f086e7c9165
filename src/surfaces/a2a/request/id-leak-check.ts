/**
 * Finds the value in places that are kept or repeated: the JSON-RPC id, message id, task id and context id.
 *
 * It works on the raw message, before anything is known of skills, so every string of its parts is taken for a
 * value: what is refused is an id that spells one of them, in any case and with any separators.
 */
import { isObject, type JsonObject, parseObject } from './json-object.ts'

/** Shorter strings are no identifiers and occur in ids by chance. */
const MIN_LENGTH = 6

/** A string of the message that may be the value. */
interface Candidate {
  readonly text: string
  /** True for running text, of which only words that look like an identifier count. */
  readonly prose: boolean
}

/** True when the id spells a value of these parts; `named` when the message names the skill, so that its text is the value. */
export function leaksValue(id: string, parts: readonly JsonObject[], named: boolean): boolean {
  const spelt = skeleton(id)
  return parts.flatMap((part) => candidates(part, named)).some((candidate) => isSpeltBy(candidate, id, spelt))
}

function isSpeltBy({ text, prose }: Candidate, id: string, spelt: string): boolean {
  if (!prose) return contains(spelt, skeleton(text)) || containsAddress(id, text)
  // In prose the value may be grouped by spaces: then the id, free of separators, stands in the joined text.
  if (/\d/.test(spelt) && contains(skeleton(text), spelt)) return true
  return text
    .split(/\s+/)
    .filter((word) => /[\d@]/.test(word))
    .some((word) => contains(spelt, skeleton(word)) || containsAddress(id, word))
}

function contains(long: string, short: string): boolean {
  return short.length >= MIN_LENGTH && long.includes(short)
}

function containsAddress(id: string, text: string): boolean {
  const address = text.trim().toLowerCase()
  return address.includes('@') && id.toLowerCase().includes(address)
}

/** Letters and digits alone, in one case. */
function skeleton(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

function candidates(part: JsonObject, named: boolean): readonly Candidate[] {
  const data = typeof part.text === 'string' ? parseObject(part.text) : part.data
  const values = leaves(data).map((text) => ({ text, prose: false }))
  return typeof part.text === 'string' ? [...values, { text: part.text, prose: !named }] : values
}

/** Names of skills stand in data parts and, rightly, in ids. */
const NAMING = new Set(['skill', 'skillId', 'type'])

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return value.flatMap(leaves)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) => (NAMING.has(key) ? [] : leaves(member)))
}
