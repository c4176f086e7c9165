/**
 * Labels written from right to left, each by itself, as RFC 5891, 4.2.3.4 asks of a registration.
 *
 * Sources: RFC 5893, 2; Unicode Character Database, Bidi_Class of the code points that RFC 5892 permits.
 */
import { isIn } from './code-points.ts'

/** Right to left (R, AL), left to right (L), European and Arabic numbers, marks; N is all else (ES, ON, BN). */
type Direction = 'R' | 'L' | 'EN' | 'AN' | 'NSM' | 'N'

const EUROPEAN = /^[0-9\u06f0-\u06f9]$/
const ARABIC = /^[\u0660-\u0669\u{10d30}-\u{10d39}]$/u
const NEUTRAL =
  /^[-\u00b7\u02b9\u02ba\u02c6-\u02cf\u02ec\u0375\u200c-\u200d\u2e2f\u30fb\ua67f\ua717-\ua71f\ua788]$/
/** Marks of class L. */
const LEFT_TO_RIGHT_MARK = /^[\u0cbf\u0cc6\u{11a07}\u{11a08}\u{11c3f}]$/u
const RIGHT_TO_LEFT_BLOCK = /^[\u0590-\u08ff\ufb1d-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]$/u

export function fitsBidi(characters: readonly string[]): boolean {
  const directions = characters.map(directionOf)
  if (!directions.includes('R') && !directions.includes('AN')) return true
  const last = directions.filter((direction) => direction !== 'NSM').at(-1)
  const areMixed = directions.includes('EN') && directions.includes('AN')
  return directions[0] === 'R' && !directions.includes('L') && last !== 'N' && !areMixed
}

function directionOf(character: string): Direction {
  if (EUROPEAN.test(character)) return 'EN'
  if (ARABIC.test(character)) return 'AN'
  if (NEUTRAL.test(character)) return 'N'
  if (isIn('nonspacing', character)) return LEFT_TO_RIGHT_MARK.test(character) ? 'L' : 'NSM'
  return RIGHT_TO_LEFT_BLOCK.test(character) ? 'R' : 'L'
}
