/** The rejection that number types share: a character that has no place in the number. */
import { CHARS } from './char-kind.ts'
import { characterClassAt, codePointIndex } from './character-class.ts'
import { CONFUSABLE_HINT } from './confusable.ts'
import { hasLabelPrefix } from './label-prefix.ts'
import type { Failure } from './result.ts'

/** Describes the foreign character at a UTF-16 index of the raw value, or the label in front of the number. */
export function foreignCharacter(value: string, index: number): Failure {
  if (hasLabelPrefix(value)) return { code: 'label_prefix' }
  const characterClass = characterClassAt(value, index)
  return {
    code: 'invalid_character',
    hint: characterClass === 'confusable_letter' ? CONFUSABLE_HINT : undefined,
    position: codePointIndex(value, index),
    characterClass,
  }
}

/** UTF-16 index in the raw value of the character at `offset` in its compact form. */
export function rawIndex(value: string, offset: number, keep: number): number {
  let left = offset
  for (let index = 0; index < value.length; index++) {
    if ((CHARS[value.charCodeAt(index)]! & keep) !== 0 && left-- === 0) return index
  }
  return -1
}
