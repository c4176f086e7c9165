/** A terminal, npm and the launcher may all pass on one Ctrl-C. */
const SAME_SIGNAL_MS = 1_000

/** Calls `first` on Ctrl-C and `again` on a later one; returns a function that removes the handler. */
export function onInterrupt(first: () => void, again: () => void): () => void {
  let at: number | undefined
  const handle = () => {
    const now = performance.now()
    if (at === undefined) {
      at = now
      first()
    } else if (now - at > SAME_SIGNAL_MS) again()
  }
  process.on('SIGINT', handle)
  return () => process.off('SIGINT', handle)
}
