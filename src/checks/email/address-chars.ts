/** RFC 5322, 3.2.3: the characters of a dot-atom besides the dots. */
export const ATEXT = 1
/** RFC 1035, 2.3.1: the letters and digits of a label. */
export const ALNUM = 2

const SPECIALS = "!#$%&'*+-/=?^_`{|}~"

export const EMAIL_CHARS: Uint8Array = emailChars()

function emailChars(): Uint8Array {
  const chars = new Uint8Array(0x80)
  chars.fill(ATEXT | ALNUM, 0x30, 0x3a)
  chars.fill(ATEXT | ALNUM, 0x41, 0x5b)
  chars.fill(ATEXT | ALNUM, 0x61, 0x7b)
  for (const sign of SPECIALS) chars[sign.charCodeAt(0)] = ATEXT
  return chars
}
