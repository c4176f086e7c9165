/** A fault in the skills' data that stops the boot; its message is one line that names what to mend. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
