/** Stops the start; its message is one line that tells the operator what to correct. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
