/**
 * What may be written down about an error that should not have happened.
 *
 * Its message is left out: libraries quote what they choked on, and that may be the caller's value.
 */
export interface Defect {
  readonly name: string
  /** Where it came from: stack frames without the message. */
  readonly at: readonly string[]
}

export interface DefectLog {
  error(entry: Defect & { readonly requestId: string }, message: string): void
}

/** Name and stack frames of an error; never its message. */
export function defectOf(error: unknown): Defect {
  if (!(error instanceof Error)) return { name: typeof error, at: [] }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return { name: error.constructor.name, at: frames.map((line) => line.trim()).slice(0, 12) }
}
