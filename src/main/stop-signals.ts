/** A terminal and the parent process may both pass on the same Ctrl-C. */
const SAME_SIGNAL_MS = 1_000

/**
 * Resolves with the first SIGTERM or SIGINT; a second one, later, ends the process at once.
 *
 * Must be called before anything is started, so that a signal during startup leaves nothing behind.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined
    const stop = (signal: NodeJS.Signals) => {
      if (first !== undefined && performance.now() - first > SAME_SIGNAL_MS) process.exit(1)
      first ??= performance.now()
      resolve(signal)
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
}
