/**
 * Finds an order in running text without guessing.
 *
 * One type must be named, or follow from the value's shape, and one run of words must be the value. The value is that
 * run as it was written. Whatever could belong to it must be in it: an unknown word beside it, a second candidate or
 * punctuation that may be its own make the order unclear, and an unclear order is answered with free help.
 * Held by test/surfaces/a2a/request/text/read-text-order.test.ts.
 */
import type { Skill, SkillRegistry } from '../../../../skills/skill.ts'
import { type Candidate, findCandidates, readWords, type TextWord } from './candidates.ts'
import { hasOwnEdges } from './edges.ts'
import { withoutFences } from './fences.ts'
import { type Keywords, keywords } from './keywords.ts'
import { isLinked } from './linked-value.ts'
import { isOneValue } from './one-value.ts'
import { hasOwnMarks } from './own-marks.ts'
import { isRefused } from './refusal.ts'
import { standsAlone } from './surroundings.ts'
import { typeByShape } from './value-shape.ts'
import { widen } from './widen.ts'

/** Why a text is not an order. */
export type Unclear =
  | 'no_type'
  | 'several_types'
  | 'no_value'
  | 'several_values'
  | 'unclear_value'
  | 'text_too_long'
  | 'broken_data_part'

export type TextReading =
  | { readonly kind: 'order'; readonly skill: Skill; readonly value: string }
  /** `skill` where one type, and no other, was named. */
  | { readonly kind: 'unclear'; readonly reason: Unclear; readonly skill?: Skill }

export type TextReader = (text: string) => TextReading

/** Longer texts are not read: a value has at most 512 characters. */
export const LONGEST_TEXT = 4_000

/** Builds the reader for the skills of a registry. */
export function textReader(registry: SkillRegistry): TextReader {
  const names = keywords(registry)
  return (text) =>
    text.length > LONGEST_TEXT ? unclear('text_too_long') : readText(withoutFences(text), names, registry)
}

function readText(text: string, names: Keywords, registry: SkillRegistry): TextReading {
  // Broken JSON is a data part with a mistake in it, not a sentence.
  if (text.trimStart().startsWith('{"skill')) return unclear('broken_data_part')
  const words = readWords(text, names)
  const named = new Set(words.flatMap(({ names: skill }) => skill ?? []))
  const [first, ...others] = named
  if (others.length > 0) return unclear('several_types')
  // Without a type, nothing else that is missing matters.
  const untyped = (reason: Unclear): TextReading => unclear(first === undefined ? 'no_type' : reason, first)

  const candidates = findCandidates(words, first)
  const [candidate] = candidates
  if (candidate === undefined) return untyped('no_value')
  if (candidates.length > 1) return untyped('several_values')
  if (isRefused(words, candidate)) return untyped('unclear_value')
  const skill = first ?? registry.get(typeByShape(writtenValue(text, words, candidate)) ?? '')
  if (skill === undefined) return unclear('no_type')
  const whole = widen(words, candidate, skill)
  if (whole === undefined || !isOneValue(words, whole, skill) || !standsAlone(text, words, whole, skill)) {
    return unclear('unclear_value', first)
  }
  const value = writtenValue(text, words, whole)
  const quoted = whole.quote !== undefined
  if (!hasOwnEdges(value, quoted, skill) || !hasOwnMarks(value, quoted, skill)) {
    return unclear('unclear_value', first)
  }
  if (first !== undefined && !isLinked(words, whole, value, skill)) return unclear('unclear_value', first)
  return { kind: 'order', skill, value }
}

const unclear = (reason: Unclear, skill?: Skill): TextReading => ({
  kind: 'unclear',
  reason,
  ...(skill && { skill }),
})

function writtenValue(text: string, words: readonly TextWord[], { from, to, quote }: Candidate): string {
  if (quote !== undefined) return text.slice(quote.from + 1, quote.to).replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
  return text.slice(words[from]?.start, words[to]?.end)
}
