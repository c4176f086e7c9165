/** What may be logged of an unexpected error. Libraries quote input in their messages, so the message is left out. */
export interface UnexpectedError {
  readonly name: string
  /** Stack frames without the message. */
  readonly at: readonly string[]
}

export interface UnexpectedErrorLog {
  error(entry: UnexpectedError & { readonly requestId: string }, message: string): void
}

/** A stack frame, which ends with a place in a file; a line of a message may begin like one. */
const FRAME = /^\s+at .*(?::\d+:\d+\)?|<anonymous>\)?)$/
const MOST_FRAMES = 12

export function unexpectedError(error: unknown): UnexpectedError {
  if (!(error instanceof Error)) return { name: typeof error, at: [] }
  // The stack repeats the message, which may have several lines.
  const frames = (error.stack ?? '').replace(error.message, '').split('\n')
  const at = frames.filter((line) => FRAME.test(line)).map((line) => line.trim())
  return { name: error.constructor.name, at: at.slice(0, MOST_FRAMES) }
}
