import { fileURLToPath } from 'node:url'

const MANIFEST = fileURLToPath(new URL('../../package.json', import.meta.url))
/** The system does not announce that a parent has ended. */
const POLL_MS = 500

/**
 * Resolves when `npm start` of this package is gone: npm passes SIGTERM to its shell and not to the service. Otherwise
 * never: a service started as `node …` outlives its parent, as nohup, setsid and process managers need it.
 */
export function npmGone(startedPackage: string | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (startedPackage !== MANIFEST) return promise
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent && isRunning(parent)) return
    clearInterval(timer)
    resolve()
  }, POLL_MS).unref()
  return promise
}

/** On Windows `process.ppid` stays the same when the parent ends. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
