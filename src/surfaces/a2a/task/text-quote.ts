/**
 * Says what a text was understood to order, before anything is sold. It is made from the value before the check runs,
 * so it is the same for valid and invalid values. It is not stored.
 */

import { PRICE_USD } from '../../../catalog/price.ts'
import type { Skill } from '../../../catalog/skill.ts'
import { PROFILES } from '../../../checks/checks.ts'
import type { Profile } from '../../../checks/profile.ts'
import { isText } from '../../../checks/profile.ts'
import type { Quote } from '../../../payments/ports/sale.ts'
import { encodeHeader } from '../../../values/json.ts'

export interface TextQuote {
  readonly skill: string
  readonly value: string
  /** False if the text may mean something else: then the user must be asked before it is paid for. */
  readonly certain: boolean
  readonly priceUsd: string
}

/** Our own: the quote of a text in the metadata of its task's status message. */
export const QUOTE_KEY = 'format-checker/quote'

export const quoteOfText = (skill: Skill, value: string, certain: boolean): TextQuote => ({
  skill: skill.id,
  value: isText(skill) ? maskAddress(value) : maskUnchecked(value, skill.mask.isHidden === true),
  certain,
  priceUsd: PRICE_USD,
})

/** "Check iban DE••••3000 for USD 0.001?" */
export const questionOf = ({ skill, value, priceUsd }: TextQuote): string =>
  `Check ${skill} ${value} for USD ${priceUsd}?`

/**
 * Puts the question into the terms, as their `error`, which no client copies into a payment. The terms are those of a
 * refusal, which lack the declaration for catalogues: with it the header would be too long, and catalogues send no
 * texts.
 */
export function askingQuote(quote: Quote, asked: TextQuote): Quote {
  const required = { ...quote.required('payment_refused'), error: questionOf(asked) }
  return { required: () => required, header: () => encodeHeader(required) }
}

/** Characters that are shown at the beginning and at the end, and the length from which they are. */
const [FIRST, LAST, SHOWN_FROM] = [2, 4, 9]
/** Nothing is shown of as many digits as a hidden number has, even if they were sent for another check. */
const HIDDEN_SIZES: readonly number[] = Object.values<Profile>(PROFILES).flatMap(({ mask, outline }) =>
  mask.isHidden ? outline.sizes : [],
)
const DIGITS = /^(?:[^\p{L}\p{N}]|\p{Nd})*$/u
/** Longer than any number; it keeps the header short. */
const MOST_SHOWN = 64

const isHiddenNumber = (value: string): boolean =>
  DIGITS.test(value) && HIDDEN_SIZES.includes(value.match(/\p{Nd}/gu)?.length ?? 0)

function maskUnchecked(value: string, isSecret: boolean): string {
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
