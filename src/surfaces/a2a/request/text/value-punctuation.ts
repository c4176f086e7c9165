import type { Skill } from '../../../../catalog/skill.ts'
import { isText } from '../../../../checks/profile.ts'
import { fitsOutline, hasCountry } from './outline.ts'

/**
 * Quotation marks and brackets, and what people type for them. At the edge of a value they are left over from a pair.
 */
const MARK = /[\p{Quotation_Mark}\p{Pi}\p{Pf}\p{Ps}\p{Pe}`´′-‷❛-❠<>,]/u
/** In a number: any mark but those that group it or come from a mask. */
const FOREIGN = /(?![-.\u2010\u2011\u2013/*+•●])[\p{P}\p{S}]/u
/** In an address: signs that it cannot have. Those that word processors put in place of "'" and "-" are allowed. */
const FOREIGN_IN_ADDRESS = /[:;"<>()[\]\\]|^[^@]*,|(?![ -~‘’‐‑])[\p{P}\p{S}]/u
/** "login=jan@example.com", also an address. */
const ASSIGNED = /^[\p{L}_]+=/u
/** "jan@example.com?subject=…", but not "jan@example,com", which is a slip. */
const GOES_ON = /@[\p{L}\p{N}-]+\.[\p{L}\p{N}.-]*[^\p{L}\p{N}.-]/u
/** "a@b.co.Please": a full stop without a space behind it. */
const RUNS_ON = /@[^A-Z]+\.[A-Z][a-z]+$/

/** False if punctuation in a value, or at its ends, shows that part of it belongs to the text around it. */
export function hasOwnPunctuation(value: string, quoted: boolean, skill: Skill): boolean {
  if (/[\r\n]/.test(value) || MARK.test(value.at(0) ?? '') || MARK.test(value.at(-1) ?? '')) return false
  if (quoted) return !/^\s|\s$/.test(value)
  // White space beyond ASCII does not separate words (words.ts), so a word of the text may be part of the value.
  if (/[^\S \t]/.test(value)) return false
  const isOwn = (character = '') => !/[\p{P}\p{S}]/u.test(character)
  const last = value.at(-1)
  if (isText(skill)) {
    const marks = [FOREIGN_IN_ADDRESS, ASSIGNED, GOES_ON, RUNS_ON]
    return (isOwn(last) || last === '@') && !marks.some((mark) => mark.test(value))
  }
  if (!isOwn(value.at(0)) || !isOwn(last) || FOREIGN.test(value)) return false
  // A group of letters alone is a country or a group of a number; in "nr.5260250274" it is a word.
  if (fitsOutline(skill, value)) return true
  const groups = value.split(/[^\p{L}\p{N}]+/u)
  const { group = 0 } = skill.outline
  const hasGroups = groups.every(({ length }) => length <= group)
  return (
    hasGroups ||
    groups.every((group, index) => !/^\p{L}{2,}$/u.test(group) || (index === 0 && hasCountry(skill)))
  )
}
