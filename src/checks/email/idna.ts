/**
 * Whether an "xn--" label is the ASCII form of a name that IDNA 2008 allows.
 *
 * Sources: RFC 3492 (Punycode), RFC 5891, 4.2.3.1 and 5.4 (label rules, round trip), RFC 5892, 2 and appendix A
 * (permitted code points), RFC 5890, 2.3.2.1 (A-label). Bidirectional labels are not judged by RFC 5893.
 */
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
  return [...name].every((character, index, all) => isPermitted(character, all[index - 1], all[index + 1]))
}

/** RFC 5892, 2.6: permitted although their case folding differs, or although they are no letters or digits. */
const ALWAYS = /^[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007]$/
/** RFC 5892, 2.6 and 2.9: fillers, tone marks and old Hangul jamo, never permitted. */
const NEVER =
  /^[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\u115f\u1160]$/
const LETTER_OR_DIGIT = /^[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}]$/u

function isPermitted(character: string, before: string | undefined, after: string | undefined): boolean {
  if (/^[a-z0-9-]$/.test(character) || ALWAYS.test(character)) return true
  if (NEVER.test(character)) return false
  if (CONTEXTUAL.test(character)) return fitsContext(character, before, after)
  return LETTER_OR_DIGIT.test(character) && isStable(character)
}

/** Unchanged by compatibility composition and case folding. */
function isStable(character: string): boolean {
  return character.normalize('NFKC').toLowerCase().normalize('NFKC') === character
}

const CONTEXTUAL = /^[\u00b7\u0375\u05f3\u05f4\u30fb\u200c\u200d]$/

/** RFC 5892, appendix A. */
function fitsContext(character: string, before: string | undefined, after: string | undefined): boolean {
  switch (character) {
    case '\u00b7':
      return before === 'l' && after === 'l'
    case '\u0375':
      return after !== undefined && /^\p{Script=Greek}$/u.test(after)
    case '\u05f3':
    case '\u05f4':
      return before !== undefined && /^\p{Script=Hebrew}$/u.test(before)
    case '\u30fb':
      return [before, after].some((each) => each !== undefined && JAPANESE.test(each))
    default:
      return before !== undefined && VIRAMA.test(before)
  }
}

const JAPANESE = /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]$/u
/** Signs of canonical combining class 9 in the scripts that register domains. */
const VIRAMA = /^[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u0e3a\u1039\u17d2]$/
