/**
 * Whether an "xn--" label is the ASCII form of a name that IDNA 2008 allows.
 *
 * Sources: RFC 3492 (Punycode), RFC 5891, 4.2.3.1 and 5.4 (label rules, round trip), RFC 5892, 2 (permitted code
 * points), RFC 5890, 2.3.2.1 (A-label). Bidirectional labels are not judged by RFC 5893.
 */
import { dependsOnContext, fitsContext } from './idna-context.ts'
import { decodePunycode, encodePunycode } from './punycode.ts'

const PREFIX = 'xn--'

export function decodesUnderIdna(label: string): boolean {
  const name = decodePunycode(label.slice(PREFIX.length))
  if (name === undefined || encodePunycode(name) !== label.slice(PREFIX.length)) return false
  return isUnicodeLabel(name)
}

function isUnicodeLabel(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII.
  if (/^[\x00-\x7f]*$/.test(name) || name.normalize('NFC') !== name) return false
  if (/^-|-$|^..--/u.test(name) || /^\p{M}/u.test(name)) return false
  if (/[\u0660-\u0669]/.test(name) && /[\u06f0-\u06f9]/.test(name)) return false
  const characters = [...name]
  return characters.every((character, index) =>
    dependsOnContext(character) ? fitsContext(characters, index) : isPermitted(character),
  )
}

/** RFC 5892, 2.6: permitted although their case folding differs, or although they are no letters or digits. */
const ALWAYS = /^[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007]$/
/** RFC 5892, 2.3 and 2.4: ignorable code points; marks for symbols and musical notation. */
const IGNORABLE = /^(?:\p{Default_Ignorable_Code_Point}|[\u20d0-\u20ff]|[\u{1d100}-\u{1d24f}])$/u
/** RFC 5892, 2.6 and 2.9: fillers, tone marks and old Hangul jamo, never permitted. */
const NEVER = /^[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]$/
const LETTER_OR_DIGIT = /^[\p{Lu}\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}]$/u

function isPermitted(character: string): boolean {
  if (/^[a-z0-9-]$/.test(character) || ALWAYS.test(character)) return true
  if (IGNORABLE.test(character) || NEVER.test(character)) return false
  return LETTER_OR_DIGIT.test(character) && isStable(character)
}

/** RFC 5892, 2.2: unchanged by compatibility composition and case folding. */
function isStable(character: string): boolean {
  return caseFolded(character.normalize('NFKC')).normalize('NFKC') === character
}

/** Unicode, CaseFolding.txt: by way of the capitals; but Cherokee folds to capitals, and the dotless i stays. */
function caseFolded(text: string): string {
  if (text === '\u0131') return text
  const capitals = text.toUpperCase()
  return /^\p{Script=Cherokee}/u.test(text) ? capitals : capitals.toLowerCase()
}
