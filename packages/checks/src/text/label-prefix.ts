/**
 * Recognises a refused value that starts with the name of its field: "IBAN: DE89…", "NIP526…", "mailto:…".
 *
 * Without the u flag, /i folds ASCII letters only, so U+017F is not an S here.
 */

export interface Labels {
  readonly names: readonly string[]
  /** Each of the names anywhere, also in front of other words: "USt-IdNr.". */
  readonly anywhere: RegExp
  /** Whether the value starts with one of the names, or with any words and a colon, and something follows. */
  precede(value: string): boolean
}

const EDGE = '[\\s\\ufeff.\\-\\u2010\\u2011\\u2013]*'
/** ASCII, Latin, Greek and Cyrillic letters, and the signs of "N\u00ba". */
const LETTER = '[A-Z\\u00b0\\u00ba\\u00c0-\\u024f\\u0370-\\u052f]'
/** "Nr", "No.", "Number", "Numer", "Konto" in front of a name. */
const LEADING = '(?:(?:N[RO]|N[\\u00b0\\u00ba]|NUM[A-Z\\u00c0-\\u024f]+|KONTO)\\.?[\\s-]*)?'
const NUMBERED = '(?:[ -]?(?:NO|NR|NUMBER|CODE|ID|REG))?'
/** Behind the name: a sign, a space, or the number itself, with or without its country code. */
const NUMBER_AHEAD =
  '(?:\\.?[\\s\\u2007\\u2009\\u202f]*[:=#]|\\.?[\\s\\u2007\\u2009\\u202f]|[.\\-]?(?:[A-Z]{2})?\\d)'
const TEXT_AHEAD = '(?:\\s*[:=]|\\s)'
/**
 * Any other words with a colon, and a space or the number itself behind it. Two letters before a colon may be a country code;
 * a colon with text right behind it may be a slip inside an address.
 */
const WORDS = `(?:(?:E|TO|CC|BCC)\\s*:\\s+[^\\s]|(?:N[RO][ .]+)?${LETTER}{3}(?:${LETTER}|[ .'-]){0,37}\\s*:(?:\\s+[^\\s]|[A-Z]{0,3}\\d[^@]*$))`

/** Names of a number; a space in a name stands for a space, a hyphen, a full stop or nothing. */
export const numberLabels = (...names: readonly string[]): Labels =>
  labels(names, `${LEADING}${oneOf(names)}${NUMBERED}${NUMBER_AHEAD}`)

export const textLabels = (...names: readonly string[]): Labels =>
  labels(names, `${oneOf(names)}${TEXT_AHEAD}`)

function labels(names: readonly string[], named: string): Labels {
  const label = new RegExp(`^${EDGE}(?:${named}|${WORDS})`, 'i')
  const anywhere = new RegExp(`(?<![\\p{L}\\p{N}])${oneOf(names)}`, 'giu')
  return { names, anywhere, precede: (value) => label.test(value) }
}

const oneOf = (names: readonly string[]): string => `(?:${names.join('|').replaceAll(' ', '[ .-]{0,2}')})`
