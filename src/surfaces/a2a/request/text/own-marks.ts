/** Whether the marks inside a value are its own, and not those of a label, a call, an address line or a list. */
import type { Skill } from '../../../../skills/skill.ts'
import { shapeOf } from './value-shape.ts'

/** Line breaks wrap a text, and a value that one of them cut has it by accident. */
const LINE_BREAK = /[\r\n]/

/** Marks that programs and texts put between a value and what is not it: "konto:DE89…", "(value=DE89…", "…&bic=…". */
const FOREIGN = /[:;=,&?!#_~|\\"'`´<>()[\]{}]/
const FOREIGN_IN_ADDRESS = /[:"<>()\\]/
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
  const words = value.split(/[^\p{L}\p{N}]+/u).filter((part) => /^\p{L}{2,}$/u.test(part))
  return words.every((word) => mayBeGroup(word, skill))
}

/** Letters between separators: a country, or a group where the type has such groups; "nr.5260250274" has neither. */
function mayBeGroup(word: string, skill: Skill): boolean {
  const { prefix, tail } = shapeOf(skill.id)
  return prefix?.test(word) === true || (tail !== undefined && /^[A-Za-z]{1,4}$/.test(word))
}
