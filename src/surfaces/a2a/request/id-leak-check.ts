/**
 * Finds the value in ids that are kept or repeated: the JSON-RPC id and the context id.
 *
 * It works on the raw message, before the skill is known, so every string of its parts counts as a value. An id that
 * spells one of them, in any case and with any separators, is refused.
 */
import { isObject, type JsonObject } from '../../../json.ts'
import { parseObject } from './parse-object.ts'
import { MAX_ID_LENGTH } from './read-envelope.ts'
import { LONGEST_TEXT } from './text/read-text-order.ts'

/** Shorter strings are not identifiers and occur in ids by chance. */
const MIN_LENGTH = 6

/** A string of the message that may be the value. */
interface Candidate {
  readonly text: string
  /** True for running text, of which only words with a digit or "@" count. */
  readonly prose: boolean
}

export type LeakCheck = (id: string) => boolean

/** Builds the check for a message; `named` if the message names the skill, so that its text is the value. */
export function leakCheck(parts: readonly JsonObject[], named: boolean): LeakCheck {
  const sought = parts.flatMap((part) => candidates(part, named)).map(prepare)
  return (id) => {
    const spelt = skeleton(id)
    const hasDigit = /\d/.test(spelt)
    const lower = id.toLowerCase()
    return sought.some(
      ({ words, addresses, joined }) =>
        words.some((word) => spelt.includes(word)) ||
        addresses.some((address) => lower.includes(address)) ||
        (hasDigit && spelt.length >= MIN_LENGTH && joined.includes(spelt)),
    )
  }
}

interface Sought {
  readonly words: readonly string[]
  readonly addresses: readonly string[]
  /** The skeleton of a running text, in which the value may be grouped by spaces; '' for other candidates. */
  readonly joined: string
}

function prepare({ text, prose }: Candidate): Sought {
  const texts = prose ? wordsOf(text) : [text]
  const words = texts.filter(({ length }) => length >= MIN_LENGTH).map(wordSkeleton)
  return {
    words: [...words, ...(prose ? groupsOf(text) : [])].filter(({ length }) => length >= MIN_LENGTH),
    addresses: texts.map((word) => word.trim().toLowerCase()).filter((word) => word.includes('@')),
    joined: prose ? skeleton(text) : '',
  }
}

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => /[\d@]/.test(word))

/** Values have at most 34 letters and digits in groups of about four. */
const MOST_GROUPS = 10

/** Neighbouring words that may be one value in groups, as skeletons: "DE89 3704 0044". */
function groupsOf(text: string): readonly string[] {
  // It is not read as an order, so no value is taken from it.
  if (text.length > LONGEST_TEXT) return []
  const groups = new Set<string>()
  const words = text.split(/\s+/).map((word) => {
    const spelt = skeleton(word)
    return { spelt, hasDigit: /\d/.test(spelt) }
  })
  for (const [start, first] of words.entries()) {
    if (!first.hasDigit) continue
    let joined = first.spelt
    for (const { spelt, hasDigit } of words.slice(start + 1, start + MOST_GROUPS)) {
      joined += spelt
      if (hasDigit && /\d{3}/.test(joined)) groups.add(joined)
    }
  }
  return [...groups]
}

/** Letters and digits alone, in one case and without accents. */
const skeleton = (text: string): string => lettersOf(decomposed(text))

/** The skeleton of a word; '' for one with more letters and digits than an id can have. */
function wordSkeleton(text: string): string {
  const characters = decomposed(text)
  return LONGER_THAN_IDS.test(characters) ? '' : lettersOf(characters)
}

const LONGER_THAN_IDS = new RegExp(`^(?:[^\\p{L}\\p{N}]*[\\p{L}\\p{N}]){${MAX_ID_LENGTH + 1}}`, 'u')

/** Marks go first: a normalisation sorts each run of them, in time that grows with the square of its length. */
const decomposed = (text: string) => text.replace(/\p{M}+/gu, '').normalize('NFKD')

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

function candidates(part: JsonObject, named: boolean): readonly Candidate[] {
  const data = typeof part.text === 'string' ? parseObject(part.text) : part.data
  const values = leaves(data).map((text) => ({ text, prose: false }))
  return typeof part.text === 'string' ? [...values, { text: part.text, prose: !named }] : values
}

/** Names of skills are in data parts and may be in ids. */
const NAMING = new Set(['skill', 'skillId', 'type'])

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return value.flatMap(leaves)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) => (NAMING.has(key) ? [] : leaves(member)))
}
