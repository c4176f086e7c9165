/** Finds whole identifiers inside a value: text around one can be cut off; of several, no rule tells which is meant. */
import type { Span } from '../shared-profile.ts'
import { latinOf } from '../text/character-class.ts'
import { isNumeric, type NumberForm } from './foreign-character.ts'
import type { Fits } from './mended-value.ts'

/** A whole identifier; `text` is its compact form. */
export interface Part extends Span {
  readonly text: string
}

/** No number has as many letters and digits. */
const LONGEST = 40
/** With the signs of old Irish VAT numbers. */
const LETTERS_AND_DIGITS = /[A-Z]{2}\d[+*]\d{5}[A-Z]|[0-9A-Z]+/g
const LETTERS_OR_DIGITS = /[A-Z]+|[0-9]+/g
const ALL_ALPHANUMERIC = /^[0-9A-Z]+$/
const ALL_DIGITS = /^[0-9]+$/

/** The numbers in a value from left to right, each as long as possible; signs between their characters do not matter. */
export function numbersIn(value: string, form: NumberForm<string>, fits = form.fits): readonly Part[] {
  const start = isNumeric(form) ? DIGITS : PREFIXED
  const words = wordsIn(latinSigns(value), isNumeric(form))
  const least = leastOf(form)
  const parts: Part[] = []
  for (const [at, word] of words.entries()) {
    if (word.index < (parts.at(-1)?.end ?? 0)) continue
    // A word may be written together with the two or, in Austria, three letters that start a number.
    const letters = /^[A-Z]{3,}(?=\d)/.exec(word[0])?.[0].length ?? 0
    const starts = letters === 0 ? [0] : [0, letters - 3, letters - 2]
    const found = starts.flatMap((skip) => longestFit(words, at, skip, fits, start))
    parts.push(...(found.length === 0 ? twoIn(word, fits, start, least) : found.slice(0, 1)))
  }
  return parts
}

interface Word {
  readonly 0: string
  readonly index: number
}

/** Most values are one word, for which a search is not worth its time. */
const wordsIn = (signs: string, isNumeric: boolean): readonly Word[] =>
  (isNumeric ? ALL_DIGITS : ALL_ALPHANUMERIC).test(signs)
    ? [{ 0: signs, index: 0 }]
    : [...signs.matchAll(isNumeric ? LETTERS_OR_DIGITS : LETTERS_AND_DIGITS)]

/** Letters and digits of the shortest number, a cut-off one too. */
const leastOf = ({ profile: { outline } }: NumberForm<string>): number =>
  outline.shortest ?? Math.min(...outline.sizes)

/** One sign for each code point, so that indices are places. */
function latinSigns(value: string): string {
  if (/^[ -~]*$/.test(value)) return value.toUpperCase()
  const signs = Array.from(value, (sign) =>
    (sign <= '\x7f' ? sign : latinOf(sign.normalize('NFKC')).charAt(0) || ' ').toUpperCase().charAt(0),
  )
  return signs.join('')
}

/** What the beginning of a number looks like; nothing else is judged. */
const DIGITS = /^(?:PL?)?\d*$/
const PREFIXED = /^[A-Z](?:$|[A-Z])/

function longestFit(
  words: readonly Word[],
  from: number,
  skip: number,
  fits: Fits,
  start: RegExp,
): readonly Part[] {
  let text = ''
  let found: readonly Part[] = []
  for (let at = from; at < words.length; at++) {
    const { 0: word, index } = words[at]!
    text += at === from ? word.slice(skip) : word
    if (text.length > LONGEST || !start.test(text)) break
    if (fits(text)) found = [{ start: words[from]!.index + skip, end: index + word.length, text }]
  }
  return found
}

/** Two numbers written together. */
function twoIn({ 0: word, index }: Word, fits: Fits, start: RegExp, least: number): readonly Part[] {
  for (let at = least; at + least <= word.length && word.length <= 2 * LONGEST; at++) {
    const other = word.slice(at)
    if (!start.test(other)) continue
    const one = word.slice(0, at)
    if (!fits(one) || !fits(other)) continue
    return [
      { start: index, end: index + at, text: one },
      { start: index + at, end: index + word.length, text: other },
    ]
  }
  return []
}

/** Whether they are different identifiers; a number with its prefix and without is the same. */
export const areSeveral = (parts: readonly Part[]): boolean =>
  parts.some(({ text }) => !text.endsWith(parts[0]!.text) && !parts[0]!.text.endsWith(text))

/** A number with letters, as a slip may have left it: a digit near its start, and signs or spaces between two characters. */
const LETTERED =
  /(?<![0-9A-Z])(?:(?=\d?[A-Z](?:[0-9A-Z]{0,4}|[0-9A-Z]{0,2}[^\p{L}\p{N}\s]|[^\p{L}\p{N}\s][0-9A-Z])\d)[0-9A-Z](?:(?!::)[^\p{L}\p{N}\t\r\n]{0,2}[0-9A-Z])+|(?=[A-Z]*\d)[0-9A-Z]{15,})/giu
const FIRST_WORD = /^[0-9A-Z]+(?![0-9A-Z]|-[A-Z])/i
const LONG_WORD = /(?=[A-Z]*\d)[0-9A-Z]{15}/i
const NUMERIC = /\d(?:[^\p{L}\p{N}]?\d|[A-Z](?=\d))*/giu
const OTHER_LABEL =
  /(bic|bdo|fax|hrb|kom|konto|krs|kto|mob|nip|pesel|phone|regon|swift|tel|ur)\.?[^\p{L}\p{N}]*$/iu

/** Whether text beside a number holds another of its kind that may only be mistyped, so that either may be meant. */
export function hasRival(side: string, text: string, form: NumberForm<string>): boolean {
  const { labels } = form.profile
  const least = leastOf(form)
  return [...side.matchAll(isNumeric(form) ? NUMERIC : LETTERED)].some(({ 0: run, index }) => {
    const rival = run.replace(/[^0-9A-Za-z]/g, '').toUpperCase()
    const label = OTHER_LABEL.exec(side.slice(0, index))?.[1]?.toUpperCase()
    if (text.endsWith(rival) || (label !== undefined && !labels.names.includes(label))) return false
    const hasDigits = rival.replace(/\D/g, '').length * 4 >= rival.length
    // Words behind the number may look like a part of it.
    const { length } = isNumeric(form) || hasDigits ? rival : (FIRST_WORD.exec(run)?.[0] ?? '')
    // A slip may have left a character out.
    return length >= least - 1 || LONG_WORD.test(run)
  })
}
