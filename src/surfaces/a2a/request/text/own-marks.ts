/** Whether the marks inside a value are its own, and not those of a label, a call, an address line or a list. */
import type { Skill } from '../../../../skills/skill.ts'
import { LETTERS_APART, shapeOf } from './value-shape.ts'

/** Line breaks wrap a text, and a value that one of them cut has it by accident. */
const LINE_BREAK = /[\r\n]/

/**
 * Marks that stand between a value and what is not it: "konto:DE89…", "(value=DE89…", "DE89…—thanks". Those that people
 * group numbers with, mask them with or slip into them are left out.
 */
const FOREIGN = /(?![-.\u2010\u2011\u2013/*+•●])[\p{P}\p{S}]/u
/** Signs that no address has, but for those that word processors put in place of "'" and "-". */
const FOREIGN_IN_ADDRESS = /[:;"<>()[\]\\]|^[^@]*,|(?![ -~‘’‐‑])[\p{P}\p{S}]/u
/** "login=jan@example.com", also an address. */
const ASSIGNED = /^[\p{L}_]+=/u
/** "jan@example.com?subject=…", but not the slip in "jan@example,com". */
const GOES_ON = /@[\p{L}\p{N}-]+\.[\p{L}\p{N}.-]*[^\p{L}\p{N}.-]/u

/** True when no mark inside a value shows that a part of it is something else. */
export function hasOwnMarks(value: string, quoted: boolean, skill: Skill): boolean {
  if (LINE_BREAK.test(value)) return false
  if (quoted) return true
  return skill.id === 'email' ? isAddressAlone(value) : isNumberAlone(value, skill)
}

function isAddressAlone(value: string): boolean {
  return ![FOREIGN_IN_ADDRESS, ASSIGNED, GOES_ON].some((mark) => mark.test(value))
}

function isNumberAlone(value: string, skill: Skill): boolean {
  if (FOREIGN.test(value) || /\p{L}\/|\/\p{L}/u.test(value)) return false
  const { prefix, tail } = shapeOf(skill)
  const groups = value.split(/[^\p{L}\p{N}]+/u)
  const mayHaveLetters =
    tail === 'regular'
      ? groups.every(({ length }) => length <= 4)
      : tail === 'short' && LETTERS_APART.test(value)
  // Letters alone are a country or a group of a number that has such groups; "nr.5260250274" has neither.
  return groups.every(
    (group, index) =>
      mayHaveLetters || !/^\p{L}{2,}$/u.test(group) || (index === 0 && prefix?.test(group) === true),
  )
}
