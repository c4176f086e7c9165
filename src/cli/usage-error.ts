/** The command line cannot be understood; the message is one line for a person and holds none of their values. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
