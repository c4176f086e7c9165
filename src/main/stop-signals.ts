/** A terminal, and what started this process, may both pass on the same Ctrl-C. */
const SAME_SIGNAL_MS = 1_000

/**
 * Resolves once the process is told to stop by SIGTERM or SIGINT; another one, later, ends it at once.
 *
 * To be asked for before anything is started, so that a signal in the middle of the start leaves nothing behind.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let told: number | undefined
    const stop = () => {
      if (told !== undefined && performance.now() - told > SAME_SIGNAL_MS) process.exit(1)
      told ??= performance.now()
      resolve()
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
}
