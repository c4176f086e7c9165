/** The failure that all number types share: a character that has no place in the number. */
import { ALPHANUMERIC, CHARS, PLUS_STAR } from './char-kind.ts'
import { type CharacterClass, CLASS_NAMES, characterClassAt } from './character-class.ts'
import type { HintCode } from './hints.ts'
import type { Labels } from './label-prefix.ts'
import { digitLike } from './lookalikes.ts'
import type { Failure } from './result.ts'

/**
 * Describes the first foreign character of the raw value, or the label in front of the number; `rule` says which
 * characters the number may have.
 *
 * No character before it needs two UTF-16 units, so its index is also its code point index.
 */
export function foreignCharacter(value: string, position: number, rule: string, labels: Labels): Failure {
  if (labels.precede(value)) return LABEL_FAILURE
  const characterClass = characterClassAt(value, position)
  return {
    code: 'invalid_character',
    reason: `Character ${position + 1} is ${CLASS_NAMES[characterClass]}; ${rule}`,
    hint: hintFor(value, position, characterClass),
    position,
    characterClass,
  }
}

/** A label in front of a number; `details` says how to mend it. */
export const LABEL_FAILURE: Failure = Object.freeze({ code: 'label_prefix', hint: 'remove_label' })

const KEPT = ALPHANUMERIC | PLUS_STAR

/** `position` of the character at `offset` in the compact form of a number. */
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

function hintFor(value: string, index: number, characterClass: CharacterClass): HintCode | undefined {
  if (isMasked(value)) return 'masked_value'
  if (SCIENTIFIC.test(value)) return 'scientific_notation'
  switch (characterClass) {
    case 'confusable_letter':
      return 'confusable_character'
    case 'letter':
      return isWordOfLookalikes(value, index) ? 'confusable_character' : undefined
    case 'non_ascii_digit':
      return 'use_ascii_digits'
    case 'other_non_ascii':
      return /^\p{L}$/u.test(String.fromCodePoint(value.codePointAt(index)!)) ? undefined : 'remove_character'
    default:
      return 'remove_character'
  }
}

/** Whether each letter of the word that starts at `index` looks like a digit: "O", "lI", but not "brak" or "DE". */
function isWordOfLookalikes(value: string, index: number): boolean {
  const [word] = /^[A-Z]+/.exec(value.slice(index).toUpperCase())!
  return [...word].every((letter) => digitLike(letter) !== undefined)
}
