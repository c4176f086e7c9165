/**
 * The mask of a value that was not checked follows from the skill and the characters alone, so it is the same for valid
 * and invalid values.
 */

import { PROFILES } from 'format-checker-checks'
import { isText, type Profile } from 'format-checker-checks/internal/profile'
import type { Skill } from '../../../catalog/skill.ts'

export const maskValue = (skill: Skill, value: string): string =>
  isText(skill) ? maskAddress(value) : maskNumber(value, skill.mask.isHidden === true)

/**
 * Characters at the beginning and at the end, and the length from which they are shown. The end shows no more than the
 * result of any IBAN, so that mask and result together tell no more than the result.
 */
const [FIRST, LAST, SHOWN_FROM] = [2, 2, 9]
/** Nothing is shown of as many digits as a hidden number has, even if they were sent for another check. */
const HIDDEN_SIZES: readonly number[] = Object.values<Profile>(PROFILES).flatMap(({ mask, outline }) =>
  mask.isHidden ? outline.sizes : [],
)
const DIGITS = /^(?:[^\p{L}\p{N}]|\p{Nd})*$/u
/** Longer than any number; it keeps the header short. */
const MOST_SHOWN = 64

const isHiddenNumber = (value: string): boolean =>
  DIGITS.test(value) && HIDDEN_SIZES.includes(value.match(/\p{Nd}/gu)?.length ?? 0)

function maskNumber(value: string, isSecret: boolean): string {
  const characters = [...value.replace(/[\s.\-\u2010\u2011\u2013]/g, '')].slice(0, MOST_SHOWN)
  const { length } = characters
  const isHidden = isSecret || length < SHOWN_FROM || length === MOST_SHOWN || isHiddenNumber(value)
  return characters
    .map((character, index) =>
      !isHidden && (index < FIRST || index >= length - LAST) && /[A-Za-z0-9]/.test(character)
        ? character
        : '•',
    )
    .join('')
}

function maskAddress(value: string): string {
  const domain = /@([A-Za-z0-9.-]{1,253})$/.exec(value)?.[1]
  return domain === undefined ? '•'.repeat(Math.min([...value].length, MOST_SHOWN)) : `•••@${domain}`
}
