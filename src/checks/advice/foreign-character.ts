import type { NumberFailure } from '../shared-profile.ts'
import { ALPHANUMERIC, CHARS, PLUS_STAR } from '../text/char-kind.ts'
import { type CharacterClass, CLASS_NAMES, characterClassAt, latinOf } from '../text/character-class.ts'
import type { Labels } from '../text/label-prefix.ts'
import { digitLike } from '../text/lookalikes.ts'
import { type Fits, isOnlyFit } from './mended-value.ts'

export interface NumberForm {
  /** Which characters the number may have, in words. */
  readonly rule: string
  readonly labels: Labels
  readonly fits: Fits
  /** Whether the number has digits only, so that its letters may be look-alikes of digits. */
  readonly isNumeric: boolean
}

/**
 * Describes the first character that has no place in the number, or the label in front of the number. No character before it
 * needs two UTF-16 units, so its index is also its code point index.
 */
export function foreignCharacter(value: string, position: number, form: NumberForm): NumberFailure {
  const { rule, labels, fits } = form
  if (isLabelled(value, labels, fits)) return LABEL_FAILURE
  const characterClass = characterClassAt(value, position)
  const mended = withoutForeign(value, form)
  const offset = withoutForeign(value.slice(0, position), form).length
  const isMendable = isLookalike(characterClass) ? isOnlyFit(mended, offset, fits) : fits(mended)
  return {
    code: 'invalid_character',
    reason: `Character ${position + 1} is ${CLASS_NAMES[characterClass]}; ${rule}`,
    hint: hintOf(value, characterClass, isMendable),
    position,
    characterClass,
    ...(isMendable ? {} : textBehind(value, fits)),
  }
}

/** The value with each foreign character replaced by its look-alike or removed. */
function withoutForeign(value: string, { isNumeric }: Pick<NumberForm, 'isNumeric'>): string {
  const ascii = Array.from(value, (sign) => latinOf(sign.normalize('NFKC'))).join('')
  const kept = ascii.replace(/[^0-9A-Za-z]/g, '')
  if (!isNumeric || OTHER_PREFIX.test(value)) return kept.toUpperCase()
  return kept.replace(/\D/g, (letter) => digitLike(letter) ?? letter).toUpperCase()
}

/** Two letters in front, which name a country; but OO may be zeros, and PL the prefix of a NIP. */
const OTHER_PREFIX = /^[^0-9A-Z]*(?!OO|PL)[A-Z]{2}(?![A-Z])/i

const LETTERED = { isNumeric: false }

/** No number has as many letters and digits. */
const TOO_LONG = 40
const TEXT_BEHIND = /(?<![^0-9A-Za-z])[^0-9A-Za-z]+(?=[A-Za-z]{2}|[A-Za-z]\W*$)|[.,]0{1,2}$/g

/** Finds text behind a number that fits: a word such as a BIC, a currency or a name, or the ".0" of a float. */
export function textBehind(value: string, fits: Fits): Pick<NumberFailure, 'hint' | 'position'> {
  let [kept, end] = ['', 0]
  for (const { index } of value.matchAll(TEXT_BEHIND)) {
    kept += withoutForeign(value.slice(end, index), LETTERED)
    if (kept.length >= TOO_LONG) break
    end = index
    if (fits(kept)) return { hint: 'remove_text_behind', position: [...value.slice(0, end)].length }
  }
  return {}
}

/** Whether a label stands in front of the number, or other words whose rest fits. */
export function isLabelled(value: string, labels: Labels, fits: Fits): boolean {
  if (labels.precede(value)) return true
  const words = value.search(/[A-Za-z]{3}/)
  if (words < 0) return false
  // Behind the words, which are no start themselves.
  const [, ...pieces] = value.slice(words + 2).split(/(?<=[^0-9A-Za-z])(?=[0-9A-Za-z])/)
  let rest = ''
  return pieces.toReversed().some((piece) => {
    if (rest.length < TOO_LONG) rest = withoutForeign(piece, LETTERED) + rest
    return rest.length < TOO_LONG && fits(rest)
  })
}

export const LABEL_FAILURE = Object.freeze({ code: 'label_prefix', hint: 'remove_label' })

const KEPT = ALPHANUMERIC | PLUS_STAR

/** The index in the raw value of the character at `offset` of the compact form. */
export function positionOf(value: string, offset: number): number {
  let left = offset
  let index = 0
  while ((CHARS[value.charCodeAt(index)]! & KEPT) === 0 || left-- > 0) index++
  return index
}

/** A run of signs or X in place of hidden characters, grouped or not; the bullet is our own mask. */
const MASK = /[\u2022\u25cf]|\*{2}|#{2}|\.{3}|(?:[xX][ -]?){4}/

export function isMasked(value: string): boolean {
  return MASK.test(value)
}

/** 5.26E+09: how spreadsheets show long numbers. */
const SCIENTIFIC = /^\s*\d[.,]\d+E\+\d+\s*$/i

function hintOf(value: string, characterClass: CharacterClass, isMendable: boolean): NumberFailure['hint'] {
  if (isMasked(value)) return 'masked_value'
  if (SCIENTIFIC.test(value)) return 'scientific_notation'
  if (characterClass === 'non_ascii_digit') return 'use_ascii_digits'
  if (!isMendable) return 'compare_with_source'
  return isLookalike(characterClass) ? 'confusable_character' : 'remove_character'
}

const isLookalike = (characterClass: CharacterClass) =>
  characterClass === 'confusable_letter' || characterClass === 'letter'
