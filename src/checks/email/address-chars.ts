/** What each ASCII character is to an email address, as a bit set. */

/** RFC 5322, 3.2.3: atext, the characters of a dot-atom beside the dots. */
export const ATEXT = 1
/** RFC 1035, 2.3.1: letters and digits of a label. */
export const ALNUM = 2

const SPECIALS = "!#$%&'*+-/=?^_`{|}~"

/** Bit set per ASCII code unit; larger units have none. */
export const EMAIL_CHARS: Uint8Array = emailChars()

function emailChars(): Uint8Array {
  const chars = new Uint8Array(0x80)
  chars.fill(ATEXT | ALNUM, 0x30, 0x3a)
  chars.fill(ATEXT | ALNUM, 0x41, 0x5b)
  chars.fill(ATEXT | ALNUM, 0x61, 0x7b)
  for (const sign of SPECIALS) chars[sign.charCodeAt(0)] = ATEXT
  return chars
}
