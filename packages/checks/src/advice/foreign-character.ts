import type { Profile } from '../profile.ts'
import type { NumberFailure } from '../shared-profile.ts'
import { ALPHANUMERIC, CHARS, PLUS_STAR } from '../text/char-kind.ts'
import { type CharacterClass, CLASS_NAMES, characterClassAt, latinOf } from '../text/character-class.ts'
import { digitDrawnLike, digitLike } from '../text/lookalikes.ts'
import { characterName } from '../text/wording.ts'
import { type Fits, isOnlyFit } from './mended-value.ts'

export interface NumberForm<H extends string = never> {
  readonly rule: string
  readonly profile: Pick<Profile, 'type' | 'labels' | 'outline' | 'kinds' | 'ending'>
  readonly fits: Fits
  /** Whether the verdict is valid, if a value that fits is more than that. */
  readonly isValid?: Fits
  readonly twice?: H
  /** Recognises a value of another kind: a hint of its own, or what it is, with its article. */
  readonly otherNumber?: (value: string) => H | { readonly kind: string } | undefined
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
  const isLike =
    isLookalike(characterClass) ||
    digitDrawnLike(String.fromCodePoint(value.codePointAt(position)!)) !== undefined
  const isMendable = isLike ? isOnlyFit(mended, offset, fits) : fits(mended)
  return {
    code: 'invalid_character',
    reason: `Character ${position + 1} is ${name}; ${rule}`,
    hint: hintOf(
      value,
      characterClass,
      isMendable,
      isLike,
      fits(
        value
          .replace(ENTITIES, '')
          .replace(/[^0-9A-Za-z]/g, '')
          .toUpperCase(),
      ),
    ),
    position,
    characterClass,
  }
}

function withoutForeign(value: string, form: NumberForm<string>): string {
  const ascii = Array.from(value, (sign) => digitDrawnLike(sign) ?? latinOf(sign.normalize('NFKC'))).join('')
  const kept = ascii.replace(/[^0-9A-Za-z]/g, '')
  // The letters of a number of digits may be their look-alikes.
  if (!isNumeric(form) || OTHER_PREFIX.test(value)) return kept.toUpperCase()
  return kept.replace(/\D/g, (letter) => digitLike(letter) ?? letter).toUpperCase()
}

/** Two letters in front, which name a country; but OO may be zeros, and PL the prefix of a NIP. */
const OTHER_PREFIX = /^[^0-9A-Z]*(?!OO|PL)[A-Z]{2}(?![A-Z])/i

export const LABEL_FAILURE = Object.freeze({ code: 'label_prefix', hint: 'remove_label' })

/** Blanks and brackets as HTML writes them. */
export const ENTITY = /&(?:nbsp|thinsp|#160|#xa0|#8239|#8203|[lg]t|quot|amp);/i
const ENTITIES = new RegExp(ENTITY, 'gi')

const KEPT = ALPHANUMERIC | PLUS_STAR

/** The index in the raw value of the character at `offset` of the compact form. */
export function positionOf(value: string, offset: number): number {
  let left = offset
  let index = 0
  while ((CHARS[value.charCodeAt(index)]! & KEPT) === 0 || left-- > 0) index++
  return index
}

/** Signs in place of hidden characters; the bullet is our own mask. */
const MASKING_SIGNS =
  /[\u2022\u25cf\u25cb\u25e6\u25a0\u25aa\u2588\u2217\u204e\u2026\u22ef\uff0a]|\*{2}|#{2}|\.{3}|\u00b7{2}/
const MASKING_LETTERS = /(?:[xX][ -]?){4}/
/** A bullet of a list, with a blank behind it. */
const LIST_BULLET = /^\s*[^\p{L}\p{N}\s]\s+/u

export const isMaskedWithSigns = (value: string): boolean =>
  MASKING_SIGNS.test(value.replace(LIST_BULLET, ''))

export const isMasked = (value: string): boolean => isMaskedWithSigns(value) || MASKING_LETTERS.test(value)

function isWrapped(value: string): boolean {
  const [, open = '', close = ''] = /^([^\p{L}\p{N}]*).*?([^\p{L}\p{N}]*)$/su.exec(value) ?? []
  return open !== '' && open.trim() === [...close.trim()].reverse().join('')
}

function hintOf(
  value: string,
  characterClass: CharacterClass,
  isMendable: boolean,
  isLike: boolean,
  fitsWithoutEntities: boolean,
): NumberFailure['hint'] {
  if (isMasked(value) && !(isMendable && isWrapped(value))) return 'masked_value'
  if (characterClass === 'non_ascii_digit') return 'use_ascii_digits'
  if (!isMendable) return fitsWithoutEntities && ENTITY.test(value) ? 'remove_entities' : undefined
  return isLike ? 'confusable_character' : 'remove_character'
}

const isLookalike = (characterClass: CharacterClass) =>
  characterClass === 'confusable_letter' || characterClass === 'letter'
