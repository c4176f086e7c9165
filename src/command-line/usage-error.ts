import { ListFault } from '../lists/list-fault.ts'

/** The message repeats no value. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Rethrows what is wrong with a list as wrong usage, and anything else as it is. */
export function asUsageError(error: unknown): never {
  throw error instanceof ListFault ? new UsageError(error.message, { cause: error }) : error
}
