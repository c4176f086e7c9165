/** Letters and digits that are mistaken for each other, by people and by optical character recognition. */
import { CHARS, DIGIT } from './char-kind.ts'

export const CONFUSABLE_HINT = 'confusable_character'

const DIGIT_LIKE_LETTERS = new Set('OQDILZSGB')
const LETTER_LIKE_DIGITS = new Set('01258')

/** Whether the character could be a slip for one of the kind wanted in its place (a letter O for a zero, ...). */
export function isConfusable(character: string, wanted: number): boolean {
  const isDigit = (CHARS[character.charCodeAt(0)]! & DIGIT) !== 0
  if (isDigit) return (wanted & DIGIT) === 0 && LETTER_LIKE_DIGITS.has(character)
  return (wanted & DIGIT) !== 0 && DIGIT_LIKE_LETTERS.has(character)
}
