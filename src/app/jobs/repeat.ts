/** A shutdown has 45 s, of which calls under way take up to 40; a run may wait much longer for a node that hangs. */
const LONGEST_STOP_MS = 3_000

/**
 * The first run follows after `firstPauseMs`. `stop` waits a few seconds for the current run, which may be cut off at
 * any point. The task must not reject.
 */
export function repeat(
  pauseMs: number,
  task: () => Promise<void>,
  firstPauseMs: number = pauseMs,
): { stop(): Promise<void> } {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const schedule = (afterMs: number) => {
    timer = setTimeout(() => {
      running = task().then(() => {
        if (!isStopped) schedule(pauseMs)
      })
    }, afterMs).unref()
  }
  schedule(firstPauseMs)
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      const late = Promise.withResolvers<void>()
      const force = setTimeout(late.resolve, LONGEST_STOP_MS)
      await Promise.race([running, late.promise])
      clearTimeout(force)
    },
  }
}
