/** The words of a text with what they mean, and the runs of words among them that may be the value. */
import type { Skill } from '../../../../skills/skill.ts'
import { compact, type Keywords } from './keywords.ts'
import type { Quotation } from './pairs.ts'
import { isJoin, isTalk } from './talk-words.ts'
import { wordSet } from './word-set.ts'
import { splitWords, type Word } from './words.ts'

export interface TextWord extends Word {
  readonly compact: string
  /** The skill this word names, alone or with its neighbours. */
  readonly names: Skill | undefined
  /** The place of the first word of that name. */
  readonly nameAt: number | undefined
  readonly talk: boolean
  /** It has a digit or "@", as most values do. */
  readonly core: boolean
}

/** Words `from` to `to`, both included. */
export interface Candidate {
  readonly from: number
  readonly to: number
  /** Present when the value is all of a quotation, with its punctuation. */
  readonly quote?: Quotation
}

/** A number in talk: "2 days", "14-digit", "4 me". */
const COUNT = /^(\d{1,4}|\d{1,2}-?(digits?|st|nd|rd|th|x|stellige[nrs]?|cyfrowy)|mod-?\d{2})$/i

/** Labels of a value that name no type: "value=…". */
const VALUE_LABELS = wordSet('value values number no nr id code input type skill wert wartość numer')

/** Reads the words of a text. */
export function readWords(text: string, names: Keywords): readonly TextWord[] {
  const isLabel = (label: string) =>
    names.of(label) !== undefined || VALUE_LABELS.has(label.toLowerCase()) || isTalk(compact(label))
  const words = splitWords(text, isLabel)
  const spelt = words.map((word) => word.text)
  const skills: { readonly skill: Skill; readonly at: number }[] = []
  for (let index = 0; index < words.length; index++) {
    const name = names.at(spelt, index)
    if (name === undefined || skills[index] !== undefined) continue
    for (let offset = 0; offset < name.length; offset++)
      skills[index + offset] = { skill: name.skill, at: index }
  }
  return words.map((word, index) => {
    const key = compact(word.text)
    const named = skills[index]?.skill
    const core = named === undefined && /[\p{N}@]/u.test(word.text)
    return {
      ...word,
      compact: key,
      names: named,
      nameAt: skills[index]?.at,
      talk: !core && isTalk(key),
      core,
    }
  })
}

/** The runs that may be the value of an order for `skill`; without one, for any. */
export function findCandidates(words: readonly TextWord[], skill: Skill | undefined): readonly Candidate[] {
  const quoted = quotedRun(words)
  if (quoted !== undefined) return [quoted]
  const runs = joinRuns(words)
  const values = runs.filter((run) => !isCount(words, run))
  // A number beside the value may belong to it; one that stands apart is talk.
  const stretches = stretchesOf(words)
  const besideValues = new Set(values.flatMap(({ from, to }) => [stretches[from], stretches[to]]))
  const near = runs.filter((run) => isCount(words, run) && besideValues.has(stretches[run.from]))
  const all = [...values, ...near]
  if (all.length > 0 || skill?.id !== 'email') return all
  // "john at example.com" is an address that lost its sign.
  return words.flatMap(({ text, names, talk }, index) =>
    names === undefined && !talk && /[^.]\.[^.]/.test(text) && words[index - 1]?.compact !== 'at'
      ? { from: index, to: index }
      : [],
  )
}

const MOST_QUOTED_WORDS = 12

/** The one quotation that can be the value and has all the digits of the text in it. */
function quotedRun(words: readonly TextWord[]): Candidate | undefined {
  const cores = words.flatMap((word, index) => (word.core ? index : []))
  const quote = words[cores[0] ?? -1]?.quote
  if (quote === undefined || cores.some((index) => words[index]?.quote !== quote)) return undefined
  const from = words.findIndex((word) => word.quote === quote)
  const to = words.findLastIndex((word) => word.quote === quote)
  const inside = words.slice(from, to + 1)
  // A word that goes on behind the closing mark.
  if ((words[to]?.end ?? 0) > quote.to) return undefined
  if (inside.length > MOST_QUOTED_WORDS || inside.some(({ names }) => names !== undefined)) return undefined
  return inside.length > 3 && inside.some(({ talk }) => talk) ? undefined : { from, to, quote }
}

function joinRuns(words: readonly TextWord[]): readonly Candidate[] {
  const runs: Candidate[] = []
  for (let index = 0; index < words.length; index++) {
    if (words[index]?.core !== true) continue
    const last = runs.at(-1)
    if (last !== undefined && areJoined(words, last.to, index)) {
      runs[runs.length - 1] = { from: last.from, to: index }
    } else runs.push({ from: index, to: index })
  }
  return runs
}

/** True when only white space, or groups of letters as in "GB29 NWBK 6016", separate two words with digits. */
function areJoined(words: readonly TextWord[], from: number, to: number): boolean {
  for (let index = from; index < to; index++) {
    const word = words[index]
    if (word === undefined || word.after !== '') return false
    if (index > from && !isLetterGroup(word)) return false
  }
  return true
}

/** Letters that may be a group of a value: at most four, in capitals or no word of talk. */
export function isLetterGroup({ text, talk, names }: TextWord): boolean {
  return names === undefined && /^[A-Za-z]{1,4}$/.test(text) && (!talk || text === text.toUpperCase())
}

function isCount(words: readonly TextWord[], { from, to }: Candidate): boolean {
  return from === to && COUNT.test(words[from]?.text ?? '')
}

/**
 * For each word the number of its stretch: talk and names of types end one and begin the next. Numbered once for the
 * text, because a look at the words between each number and each value takes seconds where there are hundreds of both.
 */
function stretchesOf(words: readonly TextWord[]): readonly number[] {
  let stretch = 0
  return words.map(({ compact: key, talk, names }) => {
    if (!isJoin(key) && (talk || names !== undefined)) stretch++
    return stretch
  })
}
