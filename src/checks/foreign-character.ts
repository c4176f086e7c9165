/** The failure that all number types share: a character that has no place in the number. */
import { ALPHANUMERIC, CHARS, PLUS_STAR } from './char-kind.ts'
import { type CharacterClass, CLASS_NAMES, characterClassAt, codePointIndex } from './character-class.ts'
import type { HintCode } from './hints.ts'
import { hasLabelPrefix } from './label-prefix.ts'
import { digitLike } from './lookalikes.ts'
import type { Failure } from './result.ts'

/** Describes the foreign character at a UTF-16 index of the raw value, or the label in front of the number. */
export function foreignCharacter(value: string, index: number, rule: string): Failure {
  if (hasLabelPrefix(value)) return LABEL_FAILURE
  const characterClass = characterClassAt(value, index)
  const position = codePointIndex(value, index)
  return {
    code: 'invalid_character',
    reason: `Character ${position + 1} is ${CLASS_NAMES[characterClass]}; ${rule}`,
    hint: hintFor(value, index, characterClass),
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
  return codePointIndex(value, index)
}

/** A run of bullets, asterisks or X in place of hidden characters; the bullet is our own mask. */
const MASK = /\u2022|\*{2}|[xX]{4}/

export function isMasked(value: string): boolean {
  return MASK.test(value)
}

function hintFor(value: string, index: number, characterClass: CharacterClass): HintCode | undefined {
  if (isMasked(value)) return 'masked_value'
  switch (characterClass) {
    case 'confusable_letter':
      return 'confusable_character'
    case 'letter':
      return digitLike(value.charAt(index).toUpperCase()) === undefined ? undefined : 'confusable_character'
    case 'non_ascii_digit':
      return 'use_ascii_digits'
    case 'other_non_ascii':
      return /^\p{L}$/u.test(String.fromCodePoint(value.codePointAt(index)!)) ? undefined : 'remove_character'
    default:
      return 'remove_character'
  }
}
