/**
 * Recognises a value that starts with the name of a field: "IBAN: DE89…", "NIP526…", "mailto:…".
 *
 * Called for refused values only: the first letters of a label are no country code or VAT prefix of a valid number.
 * Without the u flag, /i folds ASCII letters only, so U+017F is not an S here.
 */

const EDGE = '[\\s\\ufeff.\\-\\u2010\\u2011\\u2013]*'
/** ASCII, Latin, Greek and Cyrillic letters, and the signs of "N\u00ba". */
const LETTER = '[A-Z\\u00b0\\u00ba\\u00c0-\\u024f\\u0370-\\u052f]'
/** "Nr", "No.", "Number", "Numer", "Konto" in front of a known label. */
const LEADING = '(?:(?:N[RO]|N[\\u00b0\\u00ba]|NUM[A-Z\\u00c0-\\u024f]+|KONTO)\\.?[\\s-]*)?'
const NUMBERED = '(?:[ -]?(?:NO|NR|NUMBER|CODE|ID|REG))?'
const NUMBER_LABEL = `(?:IBAN${NUMBERED}|VAT(?:IN| ID${NUMBERED}|${NUMBERED})|UST-?ID(?:-?NR)?|BTW(?:-?(?:NR|ID))?|UID|TVA|P(?:ARTITA)?\\.? ?IVA|NIP|REGON|PESEL)`
/** After the label: a sign, a space or hyphen, or the number itself, with its country code or without. */
const NUMBER_AHEAD =
  '(?:\\.?[\\s\\u2007\\u2009\\u202f]*[:=#]|\\.?[\\s\\u2007\\u2009\\u202f]|[.\\-]?(?:[A-Z]{2})?\\d)'
const EMAIL_LABEL = '(?:E-?MAIL(?: ADDRESS)?|MAIL(?:TO)?|ADRES(?: E-?MAIL)?)'
const EMAIL_AHEAD = '(?:\\s*[:=]|\\s)'
/**
 * Any other words with a colon, and a space or the number itself behind it. Two letters before a colon are a country code;
 * a colon with text right behind it can be a slip inside an address.
 */
const WORDS = `(?:(?:E|TO|CC|BCC)\\s*:\\s+[^\\s]|${LETTER}{3}(?:${LETTER}|[ .'-]){0,37}\\s*:(?:\\s+[^\\s]|[A-Z]{0,3}\\d[^@]*$))`

const LABEL = new RegExp(
  `^${EDGE}(?:${LEADING}${NUMBER_LABEL}${NUMBER_AHEAD}|${EMAIL_LABEL}${EMAIL_AHEAD}|${WORDS})`,
  'i',
)

/** Whether the value starts with a known label, in any case, and something follows it. */
export function hasLabelPrefix(value: string): boolean {
  return LABEL.test(value)
}
