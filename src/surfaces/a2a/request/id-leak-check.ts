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
  const texts = prose ? text.split(/\s+/) : [text]
  return {
    words: (prose ? spellings(texts, text.length) : texts.map(wordSkeleton)).filter(
      ({ length }) => length >= MIN_LENGTH,
    ),
    addresses: texts.map((word) => word.trim().toLowerCase()).filter((word) => word.includes('@')),
    joined: prose ? skeleton(text) : '',
  }
}

/** Values have at most 34 letters and digits in groups of about four. */
const MOST_GROUPS = 10

/** The words that have a digit or "@", and neighbours from one to another: "DE89 3704 0044" may be one value in groups. */
function spellings(texts: readonly string[], length: number): readonly string[] {
  const words = texts.map((text) => {
    const spelt = wordSkeleton(text)
    return { spelt, isCore: text.includes('@') || /\d/.test(spelt) }
  })
  // A longer text is not read as an order, so no value is taken from it.
  const most = length > LONGEST_TEXT ? 1 : MOST_GROUPS
  const found = new Set<string>()
  for (const [start, first] of words.entries()) {
    let joined = ''
    for (const { spelt, isCore } of first.isCore ? words.slice(start, start + most) : []) {
      joined += spelt
      if (isCore) found.add(joined)
    }
  }
  return [...found]
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
