import { CHECK_TYPES, type CheckType } from '../checks/verdict.ts'
import { UsageError } from './command-line/usage-error.ts'

/** Reads the TYPE argument of a command. */
export function readType(text: string | undefined): CheckType {
  const type = CHECK_TYPES.find((each) => each === text)
  if (type === undefined) throw new UsageError(`TYPE must be one of ${CHECK_TYPES.join(', ')}`)
  return type
}
