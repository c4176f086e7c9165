/** Our service as it runs for real money, beside the stub world of the benchmark. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../test/support/ports.ts'
import { LOAD_CORE, nextMessage, type PinnedProcess, SERVER_CORE, startPinned } from '../processes.ts'

export const PAY_TO = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
/** High enough to be never reached: the limiter does its work all the same. */
const NO_LIMIT = '999999999'

export interface Server extends PinnedProcess {
  readonly port: number
}

export interface OurService extends Server {
  readonly dataDir: string
  /** Milliseconds from the start of the process to a ready service. */
  readonly bootMs: number
}

/** Starts one of the servers in this folder. */
export async function startServer(
  file: string,
  env: Readonly<Record<string, string>> = {},
  core = SERVER_CORE,
): Promise<Server> {
  const started = startPinned(core, `bench/servers/${file}`, { env })
  const { port } = await nextMessage<{ port: number }>(started)
  return { ...started, port }
}

/** The facilitator and the node, on the core of the load. */
export function startWorld(): Promise<Server> {
  return startServer('world.ts', {}, LOAD_CORE)
}

/** The options of Node that `npm start` sets. */
const START_OPTIONS: readonly string[] = /^node (.*) src\/main\.ts$/
  .exec(
    (
      JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
        scripts: { start: string }
      }
    ).scripts.start,
  )![1]!
  .split(' ')

/** What the image sets for glibc, which reads it before a process could set it for itself. */
export const IMAGE_ENV: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8').matchAll(
      /^ENV (MALLOC_\w+)=(\S+)$/gm,
    ),
  ].map(([, name, value]) => [name, value]),
)

/** Starts `src/main.ts` in live mode on a new store. */
export async function startOurs(
  world: Server,
  options: {
    readonly facilitator?: 'fast' | 'slow'
    readonly env?: Readonly<Record<string, string>>
    readonly nodeArgs?: readonly string[]
    readonly dataDir?: string
    readonly core?: number
  } = {},
): Promise<OurService> {
  const { facilitator = 'fast', env = {}, nodeArgs = [], core = SERVER_CORE } = options
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'format-checker-bench-'))
  const port = await freePort()
  const outside = `http://127.0.0.1:${world.port}`
  const begun = performance.now()
  const started = startPinned(core, 'src/main.ts', {
    nodeArgs: [...START_OPTIONS, ...nodeArgs],
    env: {
      PORT: String(port),
      HOST: '127.0.0.1',
      BASE_URL: 'https://checks.example',
      PAY_TO,
      FACILITATOR_URL: `${outside}/${facilitator}`,
      RPC_URL: `${outside}/rpc`,
      ...(env.DATABASE_URL === undefined ? { DATA_DIR: dataDir } : {}),
      ADMIN_PORT: '0',
      LOG_LEVEL: 'error',
      RATE_LIMIT_UNPAID: NO_LIMIT,
      ...env,
    },
  })
  await untilReady(started, port)
  return {
    ...started,
    port,
    dataDir,
    bootMs: performance.now() - begun,
    async stop() {
      await started.stop()
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function untilReady({ child }: PinnedProcess, port: number): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error('the service did not start')
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (ready?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
