/**
 * Runs a task repeatedly with a pause between two runs, the first one after `firstPauseMs`; `stop` waits for the current
 * run. The task must not reject.
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
      await running
    },
  }
}
