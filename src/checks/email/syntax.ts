/** The syntax of an address; `email-failure.ts` finds the reason when it fails. */
import { isAddressShaped } from './automaton.ts'

/** RFC 5321, 4.5.3.1.1, in octets. */
export const LOCAL_LIMIT = 64
/** RFC 1035, 2.3.4, in octets. */
export const LABEL_LIMIT = 63
/** RFC 5321, 4.5.3.1.3 less the angle brackets (RFC 3696, erratum 1690), in octets. */
export const ADDRESS_LIMIT = 254
/** No part of an address up to here can be too long: its longest label leaves room for "a@" and ".b" beside it. */
const SHORT = LABEL_LIMIT + 4

export const FULL_STOP = 0x2e
export const HYPHEN = 0x2d

/** Whether the characters from `start` to `end` are an address. */
export function isAddress(value: string, start: number, end: number): boolean {
  const size = end - start
  if (size > ADDRESS_LIMIT || !isAddressShaped(value, start, end)) return false
  return size <= SHORT || hasShortParts(value, start, end)
}

/** Whether local part and labels of what is otherwise an address keep their limits. */
function hasShortParts(value: string, start: number, end: number): boolean {
  const at = value.indexOf('@', start)
  if (at - start > LOCAL_LIMIT) return false
  let label = at + 1
  for (let dot = value.indexOf('.', label); dot >= 0 && dot < end; dot = value.indexOf('.', label)) {
    if (dot - label > LABEL_LIMIT) return false
    label = dot + 1
  }
  return end - label <= LABEL_LIMIT
}
