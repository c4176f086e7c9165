import { joinedWords } from 'format-checker-checks/internal/text/heading-words'
import { CHECK_TYPES, type CheckType } from 'format-checker-checks/verdict'
import { headingsOf } from '../../../src/catalog/column-headings.ts'
import { buildRegistry } from '../../../src/catalog/registry.ts'
import { UsageError } from '../../../src/command-line/usage-error.ts'

/** Reads the TYPE argument of a command, in any case and by an alias too. */
export function readType(text = ''): CheckType {
  const type = CHECK_TYPES.find((each) => each === text)
  if (type !== undefined) return type
  const skills = buildRegistry()
  const named = skills.resolve(text)
  if (named !== undefined) return named.id
  const near = skills.nearest(text)
  const advice = near === undefined ? '' : `. Did you mean ${near.id}?`
  throw new UsageError(`TYPE must be one of ${CHECK_TYPES.join(', ')}${advice}`)
}

/** The type that a column is named after, by its id, an alias or another heading of it. */
export function typeOfHeading(heading: string): CheckType | undefined {
  const skills = buildRegistry()
  const letters = joinedWords(heading)
  return (skills.resolve(heading) ?? skills.all.find((skill) => headingsOf(skill).includes(letters)))?.id
}
