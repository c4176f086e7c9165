/** Letters and digits that people and optical character recognition take for each other. */
import { latinOf } from './character-class.ts'

const DIGIT_OF_LETTER: Readonly<Record<string, string>> = {
  O: '0',
  Q: '0',
  D: '0',
  I: '1',
  L: '1',
  Z: '2',
  S: '5',
  G: '6',
  B: '8',
  b: '6',
  g: '9',
  q: '9',
}

const LETTER_OF_DIGIT: Readonly<Record<string, string>> = { '0': 'O', '1': 'I', '2': 'Z', '5': 'S', '8': 'B' }

/** Signs and letters outside ASCII that are drawn like a digit and never like the letter of its look-alike. */
const DIGIT_OF_SIGN: Readonly<Record<string, string>> = {
  ...{ '|': '1', '\u00d8': '0', '\u00f8': '0', '\u0417': '3', '\u0437': '3', '\u0431': '6' },
}

export const digitDrawnLike = (sign: string): string | undefined => DIGIT_OF_SIGN[sign]

/** Small b, g and q look like other digits than the capitals. */
export function digitLike(letter: string): string | undefined {
  return DIGIT_OF_LETTER[letter] ?? DIGIT_OF_LETTER[letter.toUpperCase()]
}

export function letterLike(digit: string): string | undefined {
  return LETTER_OF_DIGIT[digit]
}

/**
 * The first two characters as the letters that are probably meant: "N0" is NO. Undefined unless one is a letter and the other
 * a digit with a look-alike; two digits are the start of a number.
 */
export function asTwoLetters(text: string): string | undefined {
  const letters = Array.from(text.slice(0, 2), (sign) => letterLike(sign) ?? sign).join('')
  return /^(?:\d[A-Z]|[A-Z]\d)/.test(text) && /^[A-Z]{2}$/.test(letters) ? letters : undefined
}

/** What a character may stand for; in text, such as an address, only the ASCII form that it is drawn like. */
export function lookalikesOf(sign: string, isText: boolean): readonly string[] {
  const folded = latinOf(sign.normalize('NFKC'))
  const others = isText ? [] : [digitDrawnLike(sign), digitLike(sign), digitLike(folded), letterLike(sign)]
  return [...new Set([folded, ...others])].filter(
    (other) => other !== undefined && other !== sign,
  ) as string[]
}
