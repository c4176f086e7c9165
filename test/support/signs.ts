/** Signs that are no letter, digit, mark, blank, invisible sign, full stop or at sign in any form. */
const KEPT_OUT = /^[\p{L}\p{N}\p{M}\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]$/u
const DOTS_AND_AT_SIGNS = /^[.@\u3002\uff61\u06d4\u0701\u0702\u2024\ufe52\uff0e\uff20\ufe6b]$/u
const LAST = 0x2fff

export const SIGNS: readonly string[] = Array.from({ length: LAST }, (_, at) => String.fromCodePoint(at + 1))
  .concat(Array.from({ length: 0x100 }, (_, at) => String.fromCodePoint(0xff00 + at)))
  .filter((sign) => /^\p{Assigned}$/u.test(sign) && !KEPT_OUT.test(sign) && !DOTS_AND_AT_SIGNS.test(sign))

/** Signs that show nothing: joiners, soft hyphens, direction marks, byte order marks. */
export const INVISIBLE_SIGNS: readonly string[] = Array.from(
  '\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufe0f\ufeff',
)
