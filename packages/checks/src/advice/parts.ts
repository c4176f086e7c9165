/** Finds whole identifiers inside a value: text around one can be cut off; of several, no rule tells which is meant. */
import { latinOf } from '../text/character-class.ts'
import { otherKind } from '../text/other-labels.ts'
import { isNumeric, type NumberForm } from './foreign-character.ts'
import type { Fits } from './mended-value.ts'
import type { Span } from './proof.ts'

/** A whole identifier; `text` is its compact form. */
export interface Part extends Span {
  readonly text: string
}

/** No number has as many letters and digits. */
const LONGEST = 40
/** With the signs of old Irish VAT numbers. */
const LETTERS_AND_DIGITS = /[A-Z]{2}\d[+*]\d{5}[A-Z]|[0-9A-Z]+/g
const LETTERS_OR_DIGITS = /[A-Z]+|[0-9]+/g

/** The numbers in a value from left to right, each as long as possible; signs between their characters do not matter. */
export function numbersIn(value: string, form: NumberForm<string>, fits = form.fits): readonly Part[] {
  const start = isNumeric(form) ? DIGITS : PREFIXED
  const signs = withoutOids(latinSigns(value))
  const words = [...signs.matchAll(isNumeric(form) ? LETTERS_OR_DIGITS : LETTERS_AND_DIGITS)]
  const least = leastOf(form)
  // One letter in front is a slip; without it another number may fit, unless its shape is like no other.
  const isWord = (skip: number) => skip !== 1 || form.profile.outline.isTelling === true
  const parts: Part[] = []
  for (const [at, word] of words.entries()) {
    if (word.index < (parts.at(-1)?.end ?? 0)) continue
    // A word may be written together with the two or, in Austria, three letters that start a number.
    const letters = /^[A-Z]{3,}(?=\d)/.exec(word[0])?.[0].length ?? 0
    const field = /^\d\d(?=[A-Z]{2}\d)/.test(word[0]) && /[?:]$/.test(value.slice(0, word.index)) ? [2] : []
    const starts = letters === 0 ? [0, ...field] : [0, letters - 3, letters - 2].filter(isWord)
    const found = starts.flatMap((skip) => longestFit(words, at, skip, fits, start))
    parts.push(...(found.length === 0 ? twoIn(word, fits, start, least) : found.slice(0, 1)))
  }
  return parts
}

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
  words: readonly RegExpExecArray[],
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
    const currency = /[A-Z]{3}$/.test(word) && word.length > 3 ? 3 : 0
    for (const cut of currency === 0 ? [0] : [0, currency]) {
      const part = text.slice(0, text.length - cut)
      if (!fits(part)) continue
      found = [{ start: words[from]!.index + skip, end: index + word.length - cut, text: part }]
      break
    }
  }
  return found
}

/** Two numbers written together. */
function twoIn(
  { 0: word, index }: RegExpExecArray,
  fits: Fits,
  start: RegExp,
  least: number,
): readonly Part[] {
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
/** Numbers of registers, which no slip makes of another. */
const REGISTER_NUMBER =
  /\b(?:[JFC]\s?\d{1,2}\/\d+\/\d{4}|R\.?E\.?A\.?\W{0,2}[A-Z]{2}[ -]?\d+|R\.?C\.?S\.?[^,;]*|HR[AB]\s*\d{1,7}(?:\s[A-Z])?)(?![0-9A-Z])/gi
/** An object identifier, such as those of the registers of Polish e-health in HL7. */
const OID = /(?<![\d.])[0-2](?:\.\d+){5,}/g

const withoutOids = (signs: string): string => signs.replace(OID, (oid) => ' '.repeat(oid.length))

/** A word that may start with a country prefix, or with what a slip left of one, and the digits and letters of its number. */
const PREFIXED_NUMBER =
  /(?<![0-9A-Z])([A-Z]{1,2}(?:[^\p{L}\p{N}\t\r\n]{0,2}[A-Z]){0,2})[^\p{L}\p{N}\t\r\n]{0,2}\d(?:[^\p{L}\p{N}\t\r\n]{0,2}(?:\d|[A-Z]{1,2}(?=[^\p{L}\p{N}]?\d))|(?!::)[^\p{L}\p{N}\s]{0,2}[A-Z])*/giu
/** Digits that tell a number whose prefix has lost a letter from a word and its number. */
const TELLING_DIGITS = 8

/** Whether text beside a number holds another of its kind that may only be mistyped, so that either may be meant. */
export function hasRival(side: string, text: string, form: NumberForm<string>): boolean {
  const least = leastOf(form)
  const plain = withoutOids(side).replace(REGISTER_NUMBER, ' ')
  const isRival = (index: number, rival: string): boolean =>
    !text.endsWith(rival) &&
    otherKind(/[^0-9+]*$/.exec(plain.slice(0, index))![0], form.profile) === undefined
  const isLong = [...plain.matchAll(isNumeric(form) ? NUMERIC : LETTERED)].some(({ 0: run, index }) => {
    const rival = compactOf(run)
    if (!isRival(index, rival)) return false
    const hasDigits = rival.replace(/\D/g, '').length * 4 >= rival.length
    // Words behind the number may look like a part of it.
    const { length } = isNumeric(form) || hasDigits ? rival : (FIRST_WORD.exec(run)?.[0] ?? '')
    // A slip may have left a character out.
    return length >= least - 1 || LONG_WORD.test(run)
  })
  if (isLong || isNumeric(form)) return isLong
  return [...plain.matchAll(PREFIXED_NUMBER)].some(({ 0: run, 1: head, index }) => {
    const rival = compactOf(run)
    // A SIREN is also a part of a VAT number; its name is no prefix.
    const isNamed = otherKind(head!, { ...form.profile, kinds: [] }) !== undefined
    return !isNamed && isRival(index, rival) && rival.length >= leastBehind(rival, form) - 1
  })
}

const compactOf = (run: string): string => run.replace(/[^0-9A-Za-z]/g, '').toUpperCase()

/** Letters and digits of the shortest number with the prefix of this one. */
function leastBehind(rival: string, { profile: { outline } }: NumberForm<string>): number {
  const sizes = outline.sizesOf?.(rival) ?? []
  if (sizes.length > 0) return Math.min(...sizes)
  return /^[A-Z]\d/.test(rival) ? 2 + TELLING_DIGITS : Number.POSITIVE_INFINITY
}
