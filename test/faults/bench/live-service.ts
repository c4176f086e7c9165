import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { MAIN, type Running, run } from '../../support/command.ts'
import { freePort } from '../../support/ports.ts'

export type Environment = Readonly<Record<string, string>>

/** The service in live mode, as a process of its own that can be killed and started again. */
export interface LiveService {
  readonly url: string
  /** What it keeps in files, and the faults that are planned for its channels. */
  readonly scratch: string
  /** Ends the process where it stands. */
  kill(): Promise<void>
  /** Ends it as an operator would. */
  stop(): Promise<void>
  /**
   * Starts it again, at the same address and on the same store; with these settings in place of the first ones, and the
   * code of this clone.
   */
  start(environment?: Environment, root?: string): Promise<void>
  /** Starts another process at the same address, and ends the one before when the new one listens too. */
  replace(): Promise<void>
  /** Resolves when the process that runs now has ended. */
  ended(): Promise<unknown>
  readonly running: boolean
  /** What it has said so far, the runs before included. */
  readonly said: readonly string[]
  /** Ends it and removes what it kept. */
  remove(): Promise<void>
}

export interface LiveOptions {
  readonly environment: Environment
  /** Modules of `preload/` loaded before the service's own. */
  readonly preload?: readonly string[]
  /** The public address, where it is not the service's own. */
  readonly baseUrl?: string
  /** The clone whose code the first start runs; this one by default. */
  readonly firstRoot?: string
  /** A directory it keeps everything in, where its store is a file. */
  readonly dataDir?: string
}

/** Each service of a test listens for its end. */
process.setMaxListeners(0)

const READY_MS = 300_000

/** Starts the service with the settings of live mode and waits until it is ready. */
export async function startLiveService(options: LiveOptions): Promise<LiveService> {
  const scratch = mkdtempSync(join(tmpdir(), 'format-checker-live-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const onFile = options.environment.DATABASE_URL === undefined
  const fixed = {
    PORT: String(port),
    HOST: '127.0.0.1',
    BASE_URL: options.baseUrl ?? url,
    TMPDIR: scratch,
    RATE_LIMIT_UNPAID: '0',
    SHUTDOWN_DELAY: '0',
    LOG_LEVEL: 'warn',
    ...(onFile ? { DATA_DIR: options.dataDir ?? join(scratch, 'data') } : {}),
  }
  const preloads = (options.preload ?? []).flatMap((name) => [
    '--import',
    pathToFileURL(join(import.meta.dirname, '../preload', `${name}.ts`)).href,
  ])
  let current: Running
  let over = true
  // However the tests end, no service outlives them.
  const killAtExit = () => {
    if (!over) current.child.kill('SIGKILL')
  }
  process.once('exit', killAtExit)
  const said: string[] = []

  const launch = (environment: Environment, root?: string) => {
    const env = { ...fixed, ...options.environment, ...environment }
    const running = run([...preloads, root === undefined ? MAIN : join(root, 'src/main.ts')], { env })
    current = running
    over = false
    void running.ended.then(() => {
      if (current === running) over = true
      said.push(...running.stdout, ...running.stderr)
    })
    return running
  }
  const start = async (environment: Environment = {}, root?: string) => {
    const running = launch(environment, root)
    for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await sleep(50)) {
      if (over)
        throw new Error(
          `the service ended at its start:\n${[...running.stdout, ...running.stderr].join('\n')}`,
        )
      const ready = await fetch(`${url}/readyz`).catch(() => null)
      await ready?.arrayBuffer()
      if (ready?.ok === true) return
    }
    throw new Error('the service does not get ready')
  }
  const end = async (signal: NodeJS.Signals) => {
    if (!over) current.child.kill(signal)
    await current.ended
  }

  await start({}, options.firstRoot)
  return {
    url,
    scratch,
    start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    replace: async () => {
      const before = current
      await launch({ LOG_LEVEL: 'info' }).line(/"mode":"live"/)
      before.child.kill('SIGTERM')
      await before.ended
    },
    ended: () => current.ended,
    get running() {
      return !over
    },
    get said() {
      return over ? said : [...said, ...current.stdout, ...current.stderr]
    },
    remove: async () => {
      process.off('exit', killAtExit)
      await end('SIGKILL')
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}
