import type { Profile } from '../profile.ts'
import type { NumberFailure } from '../shared-profile.ts'
import { ALPHANUMERIC, CHARS, PLUS_STAR } from '../text/char-kind.ts'
import { type CharacterClass, CLASS_NAMES, characterClassAt, latinOf } from '../text/character-class.ts'
import { digitLike } from '../text/lookalikes.ts'
import { characterName } from '../text/wording.ts'
import { type Fits, isOnlyFit } from './mended-value.ts'

export interface NumberForm<H extends string = never> {
  /** Which characters the number may have, in words. */
  readonly rule: string
  readonly profile: Pick<Profile, 'labels' | 'outline'>
  readonly fits: Fits
  /** Whether the verdict is valid, if a value that fits is more than that. */
  readonly isValid?: Fits
  /** What a country prefix written twice is called. */
  readonly twice?: H
  /** Recognises a value of another kind. */
  readonly otherNumber?: (value: string) => H | undefined
}

/** Whether the number has digits only. */
export const isNumeric = ({ profile }: NumberForm<string>): boolean => profile.outline.kind === 'digits'

/**
 * Describes the first character that has no place in the number, or the label in front of the number. No character before it
 * needs two UTF-16 units, so its index is also its code point index.
 */
export function foreignCharacter(value: string, position: number, form: NumberForm<string>): NumberFailure {
  const { rule, profile, fits } = form
  if (profile.labels.precede(value)) return LABEL_FAILURE
  const characterClass = characterClassAt(value, position)
  const name =
    characterClass === 'letter' ? characterName(value.charAt(position)) : CLASS_NAMES[characterClass]
  const mended = withoutForeign(value, form)
  const offset = withoutForeign(value.slice(0, position), form).length
  const isMendable = isLookalike(characterClass) ? isOnlyFit(mended, offset, fits) : fits(mended)
  return {
    code: 'invalid_character',
    reason: `Character ${position + 1} is ${name}; ${rule}`,
    hint: hintOf(value, characterClass, isMendable),
    position,
    characterClass,
  }
}

/** The value with each foreign character replaced by its look-alike or removed. */
function withoutForeign(value: string, form: NumberForm<string>): string {
  const ascii = Array.from(value, (sign) => latinOf(sign.normalize('NFKC'))).join('')
  const kept = ascii.replace(/[^0-9A-Za-z]/g, '')
  // The letters of a number of digits may be their look-alikes.
  if (!isNumeric(form) || OTHER_PREFIX.test(value)) return kept.toUpperCase()
  return kept.replace(/\D/g, (letter) => digitLike(letter) ?? letter).toUpperCase()
}

/** Two letters in front, which name a country; but OO may be zeros, and PL the prefix of a NIP. */
const OTHER_PREFIX = /^[^0-9A-Z]*(?!OO|PL)[A-Z]{2}(?![A-Z])/i

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

/** Whether the same signs stand at both ends, as in Markdown. */
function isWrapped(value: string): boolean {
  const [, open = '', close = ''] = /^([^\p{L}\p{N}]*).*?([^\p{L}\p{N}]*)$/su.exec(value) ?? []
  return open !== '' && open.trim() === [...close.trim()].reverse().join('')
}

function hintOf(value: string, characterClass: CharacterClass, isMendable: boolean): NumberFailure['hint'] {
  if (isMasked(value) && !(isMendable && isWrapped(value))) return 'masked_value'
  if (characterClass === 'non_ascii_digit') return 'use_ascii_digits'
  if (!isMendable) return undefined
  return isLookalike(characterClass) ? 'confusable_character' : 'remove_character'
}

const isLookalike = (characterClass: CharacterClass) =>
  characterClass === 'confusable_letter' || characterClass === 'letter'
