/**
 * Keeps SIGUSR1 from starting Node's debugger, through which any local user could read every key and value in memory.
 * The flag `--disable-sigusr1` does the same earlier; this also works without the flag.
 */
export function disableInspector(): void {
  process.on('SIGUSR1', () => {})
}
