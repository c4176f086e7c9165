/** A log whose lines of every level go to one list, each as the arguments of its call. */
export function recordedLog() {
  const logged: unknown[] = []
  const write = (...line: unknown[]) => void logged.push(line)
  return { logged, log: { info: write, warn: write, error: write } }
}
