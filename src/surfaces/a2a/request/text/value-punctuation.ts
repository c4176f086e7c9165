/** Whether the punctuation of a value is part of it, and not of a label, a call, an address line or a list around it. */
import type { Skill } from '../../../../skills/skill.ts'
import { fitsOutline, hasCountry } from './outline.ts'

/** Quotation marks, brackets and what people type for them, left on an edge because they did not pair. */
const MARK = /[\p{Quotation_Mark}\p{Pi}\p{Pf}\p{Ps}\p{Pe}`´′-‷❛-❠<>,]/u
/** Marks that number types group by or that a mask leaves; any other in a number is the text's. */
const FOREIGN = /(?![-.\u2010\u2011\u2013/*+•●])[\p{P}\p{S}]/u
/** Signs that no address has, but for those that word processors put in place of "'" and "-". */
const FOREIGN_IN_ADDRESS = /[:;"<>()[\]\\]|^[^@]*,|(?![ -~‘’‐‑])[\p{P}\p{S}]/u
/** "login=jan@example.com", also an address. */
const ASSIGNED = /^[\p{L}_]+=/u
/** "jan@example.com?subject=…", but not the slip in "jan@example,com". */
const GOES_ON = /@[\p{L}\p{N}-]+\.[\p{L}\p{N}.-]*[^\p{L}\p{N}.-]/u
/** "a@b.co.Please": a full stop without a space behind it. */
const RUNS_ON = /@[^A-Z]+\.[A-Z][a-z]+$/

/** True if no punctuation in the value or at its ends shows that a part of it belongs to the text around it. */
export function hasOwnPunctuation(value: string, quoted: boolean, skill: Skill): boolean {
  if (/[\r\n]/.test(value) || MARK.test(value.at(0) ?? '') || MARK.test(value.at(-1) ?? '')) return false
  if (quoted) return !/^\s|\s$/.test(value)
  // White space beyond ASCII splits no words here, so a word of the text may hang on the value by it.
  if (/[^\S \t]/.test(value)) return false
  const isOwn = (character = '') => !/[\p{P}\p{S}]/u.test(character)
  const last = value.at(-1)
  if (skill.id === 'email') {
    const marks = [FOREIGN_IN_ADDRESS, ASSIGNED, GOES_ON, RUNS_ON]
    return (isOwn(last) || last === '@') && !marks.some((mark) => mark.test(value))
  }
  if (!isOwn(value.at(0)) || !isOwn(last) || FOREIGN.test(value)) return false
  // Letters alone are a country or a group of a number with such groups; "nr.5260250274" has neither.
  if (fitsOutline(skill, value)) return true
  const groups = value.split(/[^\p{L}\p{N}]+/u)
  const hasGroups = skill.id === 'iban' && groups.every(({ length }) => length <= 4)
  return (
    hasGroups ||
    groups.every((group, index) => !/^\p{L}{2,}$/u.test(group) || (index === 0 && hasCountry(skill)))
  )
}
