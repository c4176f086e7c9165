/**
 * These rules see characters and lengths, never a check digit, so a free answer does not tell whether a value is valid.
 */

import { isText } from 'format-checker-checks/internal/profile'
import type { Skill } from '../../../catalog/skill.ts'

type Outlined = Pick<Skill, 'outline'>

/** Letters and digits that a number may have beyond the longest one of its type. */
const BEYOND = 2

const GROUPS = /^[A-Za-z\d]+(?:[ ./-][A-Za-z\d]+)*$/
/** What an address cannot have in a text: blanks, marks of pairs and lists, a question mark. */
const FOREIGN_IN_ADDRESS = /[\s\p{Cc},;()[\]{}<>"`´?]|(?!')\p{Quotation_Mark}/u
/** An apostrophe at an end is half of a quotation; a full stop is the end of a sentence. */
const CUT = /^'|['.:!…]$/

/** Whether the rest of a line is a value of the type and nothing more. */
export function isValue(skill: Skill, written: string): boolean {
  if (isText(skill))
    return !FOREIGN_IN_ADDRESS.test(written) && !CUT.test(written) && skill.outline.fits?.(written) !== false
  if (!GROUPS.test(written)) return false
  const compact = compactValue(written)
  const isMostlyDigits = compact.replace(/\D/g, '').length * 2 >= compact.length
  return isMostlyDigits && compact.length <= longestOf(skill) + BEYOND && hasOwnLetters(skill, written)
}

/** Whether each group of letters alone may be of the number: its country in front, or at most four capitals. */
const hasOwnLetters = (skill: Outlined, written: string): boolean =>
  written
    .split(/(?<=[ ./-])/)
    .map((group) => ({ letters: /^[A-Za-z]+(?=[ ./-]?$)/.exec(group)?.[0], isDotted: group.endsWith('.') }))
    .every(
      ({ letters, isDotted }, index) => letters === undefined || isGroup(skill, letters, isDotted, index),
    )

/** Country codes that usually mean "number" or "is". */
const WORDS = /^(?:no|is|nr)$/i

function isGroup(skill: Outlined, letters: string, isDotted: boolean, index: number): boolean {
  const isCapital = letters === letters.toUpperCase()
  if (WORDS.test(letters) && (isDotted || !isCapital)) return false
  return (isCapital && letters.length <= 4) || (index === 0 && isCountry(skill, letters))
}

export const isCountry = ({ outline }: Outlined, letters: string): boolean =>
  letters.length === 2 &&
  (letters.toUpperCase() === outline.prefix || (outline.sizesOf?.(letters.toUpperCase()) ?? []).length > 0)

const longestOf = ({ outline: { sizes, prefix = '' } }: Outlined): number =>
  Math.max(...sizes) + prefix.length

/** Whether a number has a length of its type. */
export function isWhole({ outline }: Outlined, written: string): boolean {
  const { kind, sizes, sizesOf, prefix = '' } = outline
  const compact = compactValue(written)
  const number = prefix !== '' && compact.startsWith(prefix) ? compact.slice(prefix.length) : compact
  if (kind === 'digits' && /\D/.test(number)) return false
  return (sizesOf?.(number) ?? sizes).includes(number.length)
}

/** Whether a number looks like one of its type where the text does not name it: by its beginning, not by its country. */
export function looksWhole(skill: Skill, written: string): boolean {
  const { fits, shortest = 6 } = skill.outline
  const compact = compactValue(written)
  const isSize = compact.length >= shortest && compact.length <= longestOf(skill) + BEYOND
  return isSize && fits?.(compact) !== false
}

export const compactValue = (written: string): string => written.replace(/[^A-Za-z\d]/g, '').toUpperCase()
