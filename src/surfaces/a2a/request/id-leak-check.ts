/**
 * Finds the value in the JSON-RPC id and the context id, which are repeated or stored. It reads the raw message, before
 * the skill is known, so every string in its parts may be the value, in any case and with any separators.
 */

import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { canonicalName } from '../../../catalog/registry.ts'
import { isObject, type JsonObject } from '../../../values/json.ts'
import { LONGEST_TEXT } from '../text/read-order.ts'
import { parseObject } from './parse-object.ts'
import { MAX_CONTEXT_LENGTH } from './read-envelope.ts'

/** Shorter strings occur in ids by chance. */
const MIN_LENGTH = 6

interface Candidate {
  readonly text: string
  /** True for running text, of which only words with a digit or "@" count. */
  readonly prose: boolean
}

export type LeakCheck = (id: string) => boolean

/** `named` if the message's metadata name the skill: then its text is the value. */
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
  /** The skeleton of a whole running text, in which spaces may group the value; '' for other candidates. */
  readonly joined: string
}

function prepare({ text, prose }: Candidate): Sought {
  const texts = text.split(/\s+/)
  const whole = prose ? [] : [text]
  const labelled = (prose ? texts : whole).flatMap(behindLabels)
  const groups = prose || texts.length > 1 ? spellings(texts, text.length) : []
  return {
    words: [...groups, ...[...whole, ...labelled].map(wordSkeleton)].filter(
      ({ length }) => length >= MIN_LENGTH,
    ),
    addresses: [...texts, ...whole, ...labelled]
      .map((word) => word.trim().toLowerCase())
      .filter((word) => word.includes('@')),
    joined: prose ? skeleton(text) : '',
  }
}

/** The values in "NIP:5260250274", `check("...")` and the JSON of a tool call's arguments. */
const behindLabels = (text: string): readonly string[] =>
  text
    .split(/[:=("'`]+/)
    .slice(1)
    .filter((piece) => piece.length >= MIN_LENGTH && /[\p{Nd}@]/u.test(piece))

/** A value has at most 34 letters and digits, usually in groups of four. */
const MOST_GROUPS = 10

/**
 * Returns every word with a digit or "@", and every run of words between two of them: "DE89 3704 0044" may be one
 * value.
 */
function spellings(texts: readonly string[], length: number): readonly string[] {
  const words = texts.map((text) => {
    const spelt = wordSkeleton(text)
    return { spelt, isCore: text.includes('@') || /\d/.test(spelt) }
  })
  // A longer text is not read as an order, so runs of its words are no values.
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

/** Returns '' for a word with more letters and digits than an id can have. */
function wordSkeleton(text: string): string {
  const characters = decomposed(text)
  return LONGER_THAN_IDS.test(characters) ? '' : lettersOf(characters)
}

const LONGER_THAN_IDS = new RegExp(`^(?:[^\\p{L}\\p{N}]*[\\p{L}\\p{N}]){${MAX_CONTEXT_LENGTH + 1}}`, 'u')

/** Removes marks before it normalises, because that takes time with the square of the length of a run of marks. */
const decomposed = (text: string) => text.replace(/\p{M}+/gu, '').normalize('NFKD')

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

function candidates(part: JsonObject, named: boolean): readonly Candidate[] {
  const data = typeof part.text === 'string' ? parseObject(part.text) : part.data
  const values = leaves(data).map((text) => ({ text, prose: false }))
  return typeof part.text === 'string' ? [...values, { text: part.text, prose: !named }] : values
}

/** Members that name the skill, which an id may contain. */
const NAMING = new Set(['skill', 'skillId', 'type'])
/** Names of checks and tools, which are no values, and which models repeat in the ids of their calls. */
const CHECK_NAMES: ReadonlySet<string> = new Set(CHECK_TYPES.flatMap((type) => [type, `validate-${type}`]))
const isCheckName = (text: string) => CHECK_NAMES.has(canonicalName(text))

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return isCheckName(value) ? [] : [value]
  if (typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return value.flatMap(leaves)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) => (NAMING.has(key) ? [] : leaves(member)))
}
