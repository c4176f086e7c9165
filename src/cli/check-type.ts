import { CHECK_TYPES, type CheckType } from '../checks/verdict.ts'
import { UsageError } from './command-line/usage-error.ts'
import { loadSkills } from './skills.ts'

/** Reads the TYPE argument of a command, in any case and by an alias too. */
export function readType(text = ''): CheckType {
  const type = CHECK_TYPES.find((each) => each === text)
  if (type !== undefined) return type
  const skills = loadSkills()
  const named = skills.resolve(text)
  if (named !== undefined) return named.id
  const near = skills.nearest(text)
  const advice = near === undefined ? '' : `. Did you mean ${near.id}?`
  throw new UsageError(`TYPE must be one of ${CHECK_TYPES.join(', ')}${advice}`)
}
