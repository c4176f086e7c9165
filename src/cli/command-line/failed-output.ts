import { IN_DOUBT, NOT_DONE } from './exit-codes.ts'

/** Commands that pay, unless they only show what they would pay. */
const PAYING: ReadonlySet<string> = new Set(['buy', 'refund'])

/**
 * Ends the process when its results cannot be written, as on a full disk; silently if the reader has left (`| head`).
 * After a command that pays the exit code says that a payment may have been made: the answer to it is lost.
 */
export function exitOnFailedOutput([command = '', ...args]: readonly string[]): void {
  const pays = PAYING.has(command) && !args.includes('--dry-run')
  process.stdout.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    const hasLeft = code === 'EPIPE'
    if (!hasLeft) console.error(`format-checker: the results cannot be written to the output (${code})`)
    if (pays) process.exit(IN_DOUBT)
    process.exit(hasLeft ? undefined : NOT_DONE)
  })
}
