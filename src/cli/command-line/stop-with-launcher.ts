/** Shuts down when the launcher of an older Node, which holds the other end of the IPC channel, has exited. */
export function stopWithLauncher(): void {
  if (process.channel === undefined) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel?.unref()
}
