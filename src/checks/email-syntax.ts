/** The syntax of an address as one pass over its characters; `email-failure.ts` finds the reason when it fails. */
import { ALNUM, ATEXT, EMAIL_CHARS, NUMERAL } from './email-chars.ts'

/** RFC 5321, 4.5.3.1.1, in octets. */
export const LOCAL_LIMIT = 64
/** RFC 1035, 2.3.4, in octets. */
export const LABEL_LIMIT = 63
/** RFC 5321, 4.5.3.1.3 less the angle brackets (RFC 3696, erratum 1690), in octets. */
export const ADDRESS_LIMIT = 254

export const AT = 0x40
export const FULL_STOP = 0x2e
export const HYPHEN = 0x2d

/** Index of the at sign when the characters from `start` to `end` are an address, otherwise -1. */
export function addressAt(value: string, start: number, end: number): number {
  if (end - start > ADDRESS_LIMIT) return -1
  let index = start
  let afterDot = true
  for (; index < end; index++) {
    const unit = value.charCodeAt(index)
    if (unit === AT) break
    if (unit === FULL_STOP) {
      if (afterDot) return -1
      afterDot = true
    } else if (unit > 0x7f || (EMAIL_CHARS[unit]! & ATEXT) === 0) return -1
    else afterDot = false
  }
  if (index === end || afterDot || index - start > LOCAL_LIMIT) return -1
  return isDomain(value, index + 1, end) ? index : -1
}

/** Whether the characters are two or more LDH labels, the last of which is not a number. */
function isDomain(value: string, from: number, end: number): boolean {
  let start = from
  let labels = 0
  let numeric = true
  let before = FULL_STOP
  for (let index = from; index < end; index++) {
    const unit = value.charCodeAt(index)
    if (unit === FULL_STOP) {
      if (before === FULL_STOP || before === HYPHEN || index - start > LABEL_LIMIT) return false
      labels++
      start = index + 1
      numeric = true
    } else if (unit === HYPHEN) {
      if (before === FULL_STOP) return false
      numeric = false
    } else {
      const kind = unit > 0x7f ? 0 : EMAIL_CHARS[unit]!
      if ((kind & ALNUM) === 0) return false
      if ((kind & NUMERAL) === 0) numeric = false
    }
    before = unit
  }
  if (before === FULL_STOP || before === HYPHEN || end - start > LABEL_LIMIT) return false
  return labels > 0 && !numeric
}
