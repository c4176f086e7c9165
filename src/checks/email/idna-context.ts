/**
 * Where a label may have the code points that IDNA 2008 permits in some places only.
 *
 * Sources: RFC 5892, appendix A (rules in context); Unicode Character Database, ArabicShaping.txt (joining types).
 */
import { isIn } from './code-points.ts'

const CONTEXTUAL = /^[\u00b7\u0375\u05f3\u05f4\u30fb\u200c\u200d]$/

export const dependsOnContext = (character: string): boolean => CONTEXTUAL.test(character)

export function fitsContext(characters: readonly string[], index: number): boolean {
  const before = characters[index - 1] ?? ''
  const after = characters[index + 1] ?? ''
  switch (characters[index]) {
    case '\u00b7':
      return before === 'l' && after === 'l'
    case '\u0375':
      return isIn('greek', after)
    case '\u05f3':
    case '\u05f4':
      return isIn('hebrew', before)
    case '\u30fb':
      return characters.some((each) => isIn('japanese', each))
    case '\u200c':
      return VIRAMA.test(before) || breaksJoin(characters, index)
    default:
      return VIRAMA.test(before)
  }
}

/** Signs of canonical combining class 9 in the scripts that register domains. */
const VIRAMA = /^[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u0e3a\u1039\u17d2]$/

/** A zero width non-joiner between two Arabic letters that would join, as Persian writes it; marks do not count. */
function breaksJoin(characters: readonly string[], index: number): boolean {
  const isLetter = (each: string) => !isIn('nonspacing', each)
  const before = characters.slice(0, index).findLast(isLetter) ?? ''
  const after = characters.slice(index + 1).find(isLetter) ?? ''
  return (
    isIn('arabicLetter', before) &&
    !ENDS_JOIN.test(before) &&
    isIn('arabicLetter', after) &&
    !NEVER_JOINS.test(after)
  )
}

/** Arabic letters of the joining types R (as alef, dal, reh and waw) and U (as hamza); all others are of type D. */
const ENDS_JOIN =
  /^[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0674\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06e5\u06e6\u06ee\u06ef\u0759-\u075b\u076b\u076c\u0771\u0773\u0774\u0778\u0779\u0870-\u0882\u088e\u08aa-\u08ae\u08b1\u08b2\u08b9\u08c9]$/
/** Those of type U. */
const NEVER_JOINS = /^[\u0621\u0674\u06e5\u06e6\u08ad\u08c9]$/
