/** Stops the start; the message is one line for the operator that names what to mend. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
