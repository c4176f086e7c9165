/** The class of a foreign character helps to mend a value and discloses nothing of it. */

export const CLASS_NAMES = {
  zero_width: 'an invisible character',
  bidi_control: 'an invisible direction mark',
  control: 'a control character',
  non_ascii_digit: 'a digit outside ASCII',
  confusable_letter: 'a letter that only looks like an ASCII one',
  other_non_ascii: 'a character outside ASCII',
  punctuation: 'a sign',
  letter: 'a letter',
} as const

/** "letter" is an ASCII letter; no other class has ASCII letters or digits. */
export type CharacterClass = keyof typeof CLASS_NAMES

/** Joiners, fillers, soft hyphens, variation selectors and tags. */
const ZERO_WIDTH = /^\p{Default_Ignorable_Code_Point}$/u
const BIDI = /^\p{Bidi_Control}$/u

/** Cyrillic and Greek letters drawn like Latin ones, which no Unicode mapping relates to ASCII. */
const LOOKALIKES =
  '\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0405\u0406\u0408\u0430\u0435\u043e' +
  '\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u0501\u051b\u051d\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c' +
  '\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bd\u03bf\u03c1\u03f2\u03f3\u0261\u0251\u026a\u0131\u0237\u04c0\u04cf\u04bb'
const LATIN = 'ABEKMHOPCTYXSIJaeopcyxsijdqwABEZHIKMNOPTYXvopcjgaIijIlh'

/** `index` counts UTF-16 units. */
export function characterClassAt(value: string, index: number): CharacterClass {
  const point = value.codePointAt(index)!
  if (point < 0x20 || (point >= 0x7f && point <= 0x9f) || point === 0x2028 || point === 0x2029)
    return 'control'
  const character = String.fromCodePoint(point)
  if (point < 0x80) return /[a-z]/i.test(character) ? 'letter' : 'punctuation'
  if (BIDI.test(character)) return 'bidi_control'
  if (ZERO_WIDTH.test(character)) return 'zero_width'
  if (/^[\p{Nd}\p{No}]$/u.test(character)) return 'non_ascii_digit'
  return /^[A-Za-z]+$/.test(latinOf(character)) ? 'confusable_letter' : 'other_non_ascii'
}

/** The ASCII letters that a letter looks like or that a Unicode mapping makes of it; else the character itself. */
export function latinOf(character: string): string {
  if (character <= '\x7f') return character
  const forms = [character, character.normalize('NFKC'), character.toUpperCase(), character.toLowerCase()]
  for (const form of forms) {
    if (/^[A-Za-z]+$/.test(form)) return form
    const index = LOOKALIKES.indexOf(form)
    if (index >= 0) return LATIN.charAt(index)
  }
  return character
}
