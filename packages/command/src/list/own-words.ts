import { CHECKS, PROFILES } from '../../../../src/checks/checks.ts'
import { isText } from '../../../../src/checks/profile.ts'
import { cleaned } from '../../../../src/checks/text/cleaned.ts'
import { NO_WORDS } from '../../../../src/lists/results.ts'
import { suggest } from '../../../../src/lists/suggest.ts'
import type { TellOwn } from '../../../../src/lists/write-rows.ts'

/** What this program says of a value beside the result that was sold. */
export const ownWords: TellOwn = ({ type, value }, result) => {
  if (result.kind !== 'checked' || typeof value !== 'string') return NO_WORDS
  const check = CHECKS[type]
  if (!result.valid) return { cleaned: null, suggested: suggest(value, result, (each) => check(each).valid) }
  const { valid, details } = check(value)
  const found = valid ? cleaned(value, details.normalization, isText(PROFILES[type])) : null
  return { cleaned: found, suggested: null }
}
