import type { Skill } from '../../../../catalog/skill.ts'
import { isText } from '../../../../checks/profile.ts'
import { compact, type Keywords } from './keywords.ts'
import { compactValue, fitsOutline, isCutShort, isWithoutCountry } from './outline.ts'
import type { Quotation } from './pairs.ts'
import { splitWords, type Word } from './words.ts'

export interface TextWord extends Word {
  readonly compact: string
  /** The skill that this word names, alone or with its neighbours. */
  readonly names: Skill | undefined
  /** It has a digit or "@", as most values do. */
  readonly core: boolean
}

/** The words `from` to `to`, both included, that may be the value. */
export interface Run {
  readonly from: number
  readonly to: number
  /** As it is written. */
  readonly value: string
  /** Present if the value is the whole of a quotation. */
  readonly quote?: Quotation
}

/** Labels of a value without a type: "value=…". */
const VALUE_LABELS = new Set(
  'value values number no nr id code input type skill wert wartość numer'.split(' '),
)

export function readWords(text: string, names: Keywords): readonly TextWord[] {
  const words = splitWords(
    text,
    (label) => names.of(label) !== undefined || VALUE_LABELS.has(label.toLowerCase()),
  )
  const spelt = words.map((word) => word.text)
  const named: (Skill | undefined)[] = []
  for (let index = 0; index < words.length; index++) {
    const name = named[index] === undefined ? names.at(spelt, index) : undefined
    for (let offset = 0; offset < (name?.length ?? 0); offset++) named[index + offset] = name?.skill
  }
  return words.map((word, index) => ({
    ...word,
    compact: compact(word.text),
    names: named[index],
    core: named[index] === undefined && /[\p{N}@]/u.test(word.text),
  }))
}

/** The most words of a value; an IBAN has nine groups. */
const MOST_WORDS = 12

/** Returns the runs with the outline of a value; `loose` if a number beside a run may belong to it. */
export function wholeValues(
  text: string,
  words: readonly TextWord[],
  skill: Skill,
): { readonly found: readonly Run[]; readonly loose: boolean } {
  const runs: Run[] = []
  for (let from = 0; from < words.length; from++) {
    const run = longestFit(text, words, from, skill)
    if (run === undefined) continue
    runs.push(run)
    from = run.to
  }
  const [starts, ends] = [new Set(runs.map(({ from }) => from)), new Set(runs.map(({ to }) => to))]
  const isBeside = (index: number, known: ReadonlySet<number>) =>
    words[index]?.core === true && !known.has(index)
  const found = runs.filter(
    ({ from, to }) =>
      !(isBeside(from - 1, ends) && isJoined(text, words, from - 1)) &&
      !(isBeside(to + 1, starts) && isJoined(text, words, to)),
  )
  // A number that is written twice is one value.
  const distinct = new Map(found.map((run) => [compactValue(run.value), run]))
  return { found: [...distinct.values()], loose: found.length < runs.length }
}

function longestFit(text: string, words: readonly TextWord[], from: number, skill: Skill): Run | undefined {
  const first = words[from]
  if (first === undefined || !(first.core || isCountry(first, skill))) return undefined
  let fit: Run | undefined
  for (let to = from; to < Math.min(words.length, from + MOST_WORDS); to++) {
    const word = words[to]
    if (word === undefined || word.names !== undefined) break
    if (to > from && (isText(skill) || !isJoined(text, words, to - 1))) break
    // Letters belong to a value only if it is not whole without them: "IE 3206488 LH", but not "DE 136695976 AG".
    if (!word.core && (fit !== undefined || !isGroup(word))) break
    const value = text.slice(first.start, word.end)
    if (fitsOutline(skill, value) && (word.core || isCapital(word))) fit = { from, to, value }
  }
  return fit
}

/** True if only white space separates a word from the next, on one line. */
function isJoined(text: string, words: readonly TextWord[], index: number): boolean {
  const [word, next] = [words[index], words[index + 1]]
  return word?.after === '' && next !== undefined && !/[\r\n]/.test(text.slice(word.end, next.start))
}

/** Letters that may be a group of a value: "GB29 NWBK 6016". */
const isGroup = ({ text, names }: TextWord) => names === undefined && /^([A-Za-z]{1,4}|[A-Z]+)$/.test(text)

const isCapital = ({ text }: Word) => text === text.toUpperCase()

/** Country codes that are also words. */
const CODE_OR_WORD = /^(is|it|be|at|no|me|by|so|do|to|es|se|si|as|in|my|de|el|la|il)$/

/** A country's letters that are written apart: "PL 526-025-02-74", "ATU 13585627". */
function isCountry({ text, names }: TextWord, skill: Skill): boolean {
  if (names !== undefined || CODE_OR_WORD.test(text)) return false
  const { prefix, country } = skill.outline
  return text.toUpperCase() === prefix || country?.alone.test(text) === true
}

/** Returns the runs of words with digits, whatever their outline: a value may be too short or too long. */
export function otherRuns(text: string, words: readonly TextWord[], skill: Skill): readonly Run[] {
  const runs: Run[] = []
  for (let from = 0; from < words.length; from++) {
    const first = words[from]
    // An address that lost its sign: "email jan.example.com".
    const isAddress =
      isText(skill) && words[from - 1]?.names === skill && /[^.]\.[^.]/.test(first?.text ?? '')
    if (first === undefined || !(first.core || isAddress)) continue
    let to = from
    for (let end = from + 1; !isText(skill) && end < words.length && words[end - 1]?.after === ''; end++) {
      const word = words[end]
      if (word?.core === true) to = end
      else if (word === undefined || !isGroup(word) || !isCapital(word)) break
    }
    const before = words[from - 1]
    const start = before?.after === '' && isCountry(before, skill) && /^\d/.test(first.text) ? from - 1 : from
    runs.push({ from: start, to, value: text.slice(words[start]?.start, words[to]?.end) })
    from = to
  }
  return runs
}

/** Returns the quotation that may be the value: the only one with digits or "@", if it names no type. */
export function quotedValue(text: string, words: readonly TextWord[]): Run | undefined {
  const quotes = new Set(words.flatMap(({ core, quote }) => (core && quote !== undefined ? [quote] : [])))
  const [quote] = quotes
  if (quote === undefined || quotes.size > 1) return undefined
  const from = words.findIndex((word) => word.quote === quote)
  const to = words.findLastIndex((word) => word.quote === quote)
  const inside = words.slice(from, to + 1)
  // A word that goes on behind the closing mark.
  if (inside.some(({ end, names }) => end > quote.to || names !== undefined)) return undefined
  // A sentence; of three words the middle one may be a slip in a value.
  const around = inside.length > 3 ? inside : inside.length === 3 ? [inside[0], inside[2]] : []
  if (around.some((word) => word?.core === false && /^\p{L}*\p{Ll}{5,}$/u.test(word.text))) return undefined
  return {
    from,
    to,
    quote,
    value: text.slice(quote.from + 1, quote.to).replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ''),
  }
}

/** False for a run that may be two values, or a value and something else. */
export function isOneValue(words: readonly TextWord[], { from, to, value }: Run, skill: Skill): boolean {
  if (value.split(/[,;/|+]/).filter((part) => compactValue(part).length >= 8).length > 1) return false
  const [before, last, next] = [words[from - 1], words[to], words[to + 1]]
  if (isWithoutCountry(skill, value) && (before?.names === undefined || /\p{L}/u.test(value))) return false
  if (before?.after === '' && isLoose(before)) return false
  if (next !== undefined && last?.after === '' && isLoose(next)) return false
  if (next?.core === true && /^\s*$/.test(last?.after ?? '')) return false
  return from === to || isCutShort(skill, value)
}

/** Capitals that may be a group of the value beside. */
const isLoose = ({ text, names }: TextWord) => names === undefined && /^[A-Z]{1,4}$/.test(text)
