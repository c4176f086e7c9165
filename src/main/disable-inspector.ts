/**
 * Keeps SIGUSR1 from starting Node's debugger, through which whoever is on this machine could read every key and value
 * in memory. The flag `--disable-sigusr1` does the same from the first moment on; this holds however we were started.
 */
export function disableInspector(): void {
  process.on('SIGUSR1', () => {})
}
