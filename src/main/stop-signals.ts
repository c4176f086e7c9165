/**
 * Resolves once the process is told to stop by SIGTERM or SIGINT; a second signal ends it at once.
 *
 * To be asked for before anything is started, so that a signal in the middle of the start leaves nothing behind.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false
    const stop = () => {
      if (stopping) process.exit(1)
      stopping = true
      resolve()
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
}
