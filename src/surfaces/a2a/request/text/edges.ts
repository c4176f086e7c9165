/** Whether a value begins and ends with characters of its own, and not with marks of the text around it. */
import type { Skill } from '../../../../skills/skill.ts'

/** Quotation marks, brackets and what people type for them. */
const MARK = /[\p{Quotation_Mark}\p{Pi}\p{Pf}\p{Ps}\p{Pe}`´′-‷❛-❠<>,]/u

/** White space beyond ASCII splits no words here, so a word of the text may hang on the value by it. */
const WIDE_SPACE = /[^\S \t\r\n]/
const SPACE_AT_EDGE = /^\s|\s$/

/** True when no mark that did not pair is left on a value; `quoted` when the value is all of a quotation. */
export function hasOwnEdges(value: string, quoted: boolean, skill: Skill): boolean {
  if ((quoted ? SPACE_AT_EDGE : WIDE_SPACE).test(value)) return false
  const characters = [...value]
  const [first = '', last = ''] = [characters[0], characters.at(-1)]
  if (MARK.test(first) || MARK.test(last)) return false
  if (quoted) return true
  // An address may begin with other marks, and "@" at its end is one that lacks its domain.
  if (skill.id === 'email') return isOwn(last) || last === '@'
  return isOwn(first) && isOwn(last)
}

const isOwn = (character: string) => !/[\p{P}\p{S}]/u.test(character)
