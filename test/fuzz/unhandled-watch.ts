/** Reports every unhandled rejection and exception instead of ending the process. */
export function unhandledWatch(onUnhandled: (what: string) => void): { stop(): void } {
  const tell = (reason: unknown) => onUnhandled(`unhandled: ${String((reason as Error)?.stack ?? reason)}`)
  process.on('unhandledRejection', tell)
  process.on('uncaughtException', tell)
  return {
    stop() {
      process.off('unhandledRejection', tell)
      process.off('uncaughtException', tell)
    },
  }
}
