/**
 * What may be written down about an error that should not have happened.
 *
 * Its message is left out: libraries quote what they choked on, and that may be the caller's value.
 */
export interface UnexpectedError {
  readonly name: string
  /** Where it came from: stack frames without the message. */
  readonly at: readonly string[]
}

export interface UnexpectedErrorLog {
  error(entry: UnexpectedError & { readonly requestId: string }, message: string): void
}

/** A frame that names a place in a file; a line of a message that only looks like one does not. */
const FRAME = /^\s+at .*(?::\d+:\d+\)?|<anonymous>\)?)$/
const MOST_FRAMES = 12

/** Name and stack frames of an error; never its message. */
export function unexpectedError(error: unknown): UnexpectedError {
  if (!(error instanceof Error)) return { name: typeof error, at: [] }
  // The stack repeats the message, which may have lines of its own.
  const frames = (error.stack ?? '').replace(error.message, '').split('\n')
  const at = frames.filter((line) => FRAME.test(line)).map((line) => line.trim())
  return { name: error.constructor.name, at: at.slice(0, MOST_FRAMES) }
}
