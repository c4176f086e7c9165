import { CHECKS, PROFILES } from 'format-checker-checks'
import { isText } from 'format-checker-checks/internal/profile'
import { cleaned } from 'format-checker-checks/internal/text/cleaned'
import { NO_WORDS } from './results.ts'
import { suggest } from './suggest.ts'
import type { TellOwn } from './write-rows.ts'

/** What the command line and the page for lists say of a value beside the result that was sold. */
export const ownWords: TellOwn = ({ type, value }, result) => {
  if (result.kind !== 'checked' || typeof value !== 'string') return NO_WORDS
  const check = CHECKS[type]
  if (!result.valid) return { cleaned: null, suggested: suggest(value, result, (each) => check(each).valid) }
  const { valid, details } = check(value)
  const found = valid ? cleaned(value, details.normalization, isText(PROFILES[type])) : null
  return { cleaned: found, suggested: null }
}
