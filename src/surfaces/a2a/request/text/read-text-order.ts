/**
 * Finds the check that a text orders. The text must name one type, or have a value whose shape shows it, and one run
 * of words must be the value, which is taken as written. `certain` if the text plainly orders that check; only then
 * may it be sold without asking.
 */
import type { Skill, SkillRegistry } from '../../../../catalog/skill.ts'
import { isText } from '../../../../checks/profile.ts'
import { withoutFences } from '../parse-object.ts'
import { asksPlainly, isLinked } from './asks.ts'
import {
  isOneValue,
  otherRuns,
  quotedValue,
  type Run,
  readWords,
  type TextWord,
  wholeValues,
} from './find-values.ts'
import { type Keywords, keywords } from './keywords.ts'
import { fitsOutline, hasCountry, isOtherForm } from './outline.ts'
import { hasOwnPunctuation } from './value-punctuation.ts'

export type Unclear =
  | 'no_type'
  | 'several_types'
  | 'no_value'
  | 'several_values'
  | 'unclear_value'
  | 'text_too_long'
  | 'broken_data_part'

export type TextReading =
  | { readonly kind: 'order'; readonly skill: Skill; readonly value: string; readonly certain: boolean }
  /** `skill` if exactly one type was named. */
  | { readonly kind: 'unclear'; readonly reason: Unclear; readonly skill?: Skill }

export type TextReader = (text: string) => TextReading

/** Longer texts are not read; a value has at most 512 characters. */
export const LONGEST_TEXT = 4_000

export function textReader(registry: SkillRegistry): TextReader {
  const names = keywords(registry)
  return (text) =>
    text.length > LONGEST_TEXT ? unclear('text_too_long') : readText(withoutFences(text), names, registry)
}

function readText(text: string, names: Keywords, registry: SkillRegistry): TextReading {
  // A text that begins like JSON is a data part with a mistake in it, not a sentence.
  if (text.trimStart().startsWith('{"')) return unclear('broken_data_part')
  const words = readWords(text, names)
  const [named, ...more] = new Set(words.flatMap(({ names: skill }) => skill ?? []))
  if (more.length > 0) return unclear('several_types')
  if (named !== undefined) return readValue(text, words, named)
  const possible = registry.all.filter(({ outline }) => outline.isTelling)
  const readings = possible.map((skill) => readValue(text, words, skill))
  const [order, ...others] = readings.filter(({ kind }) => kind === 'order')
  return order !== undefined && others.length === 0 ? order : unclear('no_type')
}

/** Names of a VAT number in countries where it is usually written without the country's letters. */
const NATIONAL = /tva|iva|btw|dph|moms/
const COUNTRY = /^(polish|polsk|polni|german)/

function readValue(text: string, words: readonly TextWord[], skill: Skill): TextReading {
  const { found, loose } = wholeValues(text, words, skill)
  const quoted = quotedValue(text, words)
  const isNamed = words.some(({ names }) => names !== undefined)
  const whole = found.length === 0 && quoted !== undefined && isNamed ? [quoted] : found
  const [run, ...others] = whole.length > 0 || loose ? whole : namedRuns(text, words, skill)
  if (others.length > 0) return unclear('several_values', skill)
  if (run === undefined)
    return unclear(loose || words.some(({ core }) => core) ? 'unclear_value' : 'no_value', skill)
  const value =
    quoted !== undefined && quoted.from <= run.from && run.to <= quoted.to ? quoted.value : run.value
  const isQuoted = value !== run.value || run.quote !== undefined
  if (!hasOwnPunctuation(value, isQuoted, skill) || !endsClear(text, words, run, skill))
    return unclear('unclear_value', skill)
  const isSure = isLinked(words, run, skill) || !isNamed || (hasCountry(skill) && fitsOutline(skill, value))
  const isBare = hasCountry(skill) && !/^[A-Z]{2}/i.test(value)
  const isNational = isBare && words.some(({ names, compact }) => (names ? NATIONAL : COUNTRY).test(compact))
  return { kind: 'order', skill, value, certain: isSure && !isNational && asksPlainly(text, words, run) }
}

/** Runs that are no whole value, but that the text calls one. */
function namedRuns(text: string, words: readonly TextWord[], skill: Skill): readonly Run[] {
  return otherRuns(text, words, skill).filter(
    (run) => isLinked(words, run, skill) && !isOtherForm(run.value) && isOneValue(words, run, skill),
  )
}

const BEGINS_CUT = /^[^\p{L}\p{N}]/u
const ENDS_CUT = /[^\p{L}\p{N}]$/u

/** False if a full stop or space at an end of the value may belong to it. */
function endsClear(
  text: string,
  words: readonly TextWord[],
  { from, to, quote }: Run,
  skill: Skill,
): boolean {
  if (quote !== undefined) return true
  const [before, first, last, next] = [words[from - 1], words[from], words[to], words[to + 1]]
  if (isText(skill)) {
    const isCut = ENDS_CUT.test(before?.text ?? '') || BEGINS_CUT.test(first?.text ?? '')
    if (before !== undefined && isCut && (before.names === undefined || before.after === '')) return false
    if (before?.names === undefined && /[.<]/.test(before?.after ?? '')) return false
    if (before?.after === '' && /=|^.$/u.test(before.text)) return false
    if (
      last?.after === '' &&
      next !== undefined &&
      /[^.]\.[^.]|^.$/.test(next.text) &&
      !/^[aàeéy]$/.test(next.text)
    )
      return false
    if (next !== undefined && (ENDS_CUT.test(last?.text ?? '') || BEGINS_CUT.test(next.text))) return false
  }
  // An invisible character beside the value may be part of it.
  if ([before, next].some((word) => word !== undefined && /^[\p{Cf}\p{Z}]+$/u.test(word.text))) return false
  if (last?.after.startsWith('.') !== true) return true
  if (next !== undefined)
    return last.after.length === 1 && /^\p{Lu}/u.test(next.text) && next.names === undefined
  const isSentence = from > 0 && words[0]?.names === undefined && /^\p{Lu}/u.test(text.trimStart())
  return isSentence || words.length - (to - from + 1) >= 4
}

const unclear = (reason: Unclear, skill?: Skill): TextReading => ({
  kind: 'unclear',
  reason,
  ...(skill && { skill }),
})
