import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'

/** Pause before a worker that has ended is replaced, so that one that cannot start does not take a core. */
const REPLACE_MS = 1_000

/**
 * Runs the service in `config.workers` processes on one port, each a replica of its own on the shared database. Resolves
 * with the exit code once `stopped` has come and all have shut down.
 *
 * The first worker starts alone: it migrates the schema, and if it cannot start, its message is the only one and its
 * exit code is returned. Later, a worker that ends is replaced. The primary process serves nothing itself.
 */
export async function runWorkers(
  config: Pick<Config, 'workers' | 'admin'>,
  stopped: Promise<NodeJS.Signals>,
  log: Log,
): Promise<number> {
  const running = new Set<Worker>()
  const codes: number[] = []
  let stop: NodeJS.Signals | undefined

  /** Resolves once the worker listens; with its exit code if it ends before that. */
  const start = async (index: number): Promise<number | undefined> => {
    const worker = cluster.fork(adminPortOf(config, index))
    running.add(worker)
    worker.once('exit', (code, signal) => {
      running.delete(worker)
      codes.push(signal === null ? code : 1)
    })
    if (stop !== undefined) worker.process.kill(stop)
    const ready = new AbortController()
    const ended = once(worker, 'exit', { signal: ready.signal }).then(
      ([code]) => (code as number | null) ?? 1,
    )
    const listening = once(worker, 'listening', { signal: ready.signal }).then(() => undefined)
    const code = await Promise.race([listening, ended])
    for (const waiting of [ended, listening]) waiting.catch(() => {})
    ready.abort()
    if (code === undefined) worker.once('exit', () => void replace(index))
    return code
  }
  const replace = async (index: number): Promise<void> => {
    if (stop !== undefined) return
    log.error({ event: 'worker_ended', count: running.size }, 'workers')
    do await sleep(REPLACE_MS)
    while (stop === undefined && (await start(index)) !== undefined)
  }

  void stopped.then((signal) => {
    stop = signal
    for (const worker of running) worker.process.kill(signal)
  })
  const failed = await start(0)
  if (failed !== undefined) return failed
  const others = Array.from({ length: config.workers - 1 }, (_, index) => index + 1)
  await Promise.all(others.map(async (index) => (await start(index)) !== undefined && replace(index)))
  log.info({ event: 'workers', count: running.size }, 'startup')
  await stopped
  codes.length = 0
  while (running.size > 0) await Promise.all([...running].map((worker) => once(worker, 'exit')))
  return codes.every((code) => code === 0) ? 0 : 1
}

/** Metrics are those of a process, so each worker has an admin port: the configured one and those after it. */
function adminPortOf({ admin }: Pick<Config, 'admin'>, index: number): Record<string, string> {
  if (admin === null || admin.port === 0) return {}
  return { ADMIN_PORT: String(admin.port + index), ADMIN_PORT_FILE: '' }
}
