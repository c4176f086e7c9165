/** Runs a task again and again with a pause between two runs; stopping waits for a run under way. */
export function every(pauseMs: number, task: () => Promise<void>): { stop(): Promise<void> } {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const schedule = () => {
    timer = setTimeout(() => {
      running = task().then(() => {
        if (!stopped) schedule()
      })
    }, pauseMs).unref()
  }
  schedule()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
