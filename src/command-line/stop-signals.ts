/** A terminal, npm and the launcher may all pass on the same Ctrl-C. */
const SAME_SIGNAL_MS = 1_000

/** Calls `first` on the first of these signals and `again` on later ones; returns a function that removes the handlers. */
export function onSignals(
  signals: readonly NodeJS.Signals[],
  first: (signal: NodeJS.Signals) => void,
  again: () => void,
): () => void {
  let at: number | undefined
  const handle = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (at === undefined) {
      at = now
      first(signal)
    } else if (now - at > SAME_SIGNAL_MS) again()
  }
  for (const signal of signals) process.on(signal, handle)
  return () => signals.forEach((signal) => void process.off(signal, handle))
}

/**
 * Resolves with the first SIGTERM or SIGINT; a second one, later, ends the process at once.
 *
 * Must be called before anything is started, so that a signal during startup leaves nothing behind.
 */
export const stopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => onSignals(['SIGTERM', 'SIGINT'], resolve, () => process.exit(1)))
