/** The command line is not understood; the message repeats no value. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
