/** Our service as it runs for real money, beside the stub world of the benchmark. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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
  { core = SERVER_CORE, flushMs }: { readonly core?: number; readonly flushMs?: number | undefined } = {},
): Promise<Server> {
  const started = startPinned(core, `bench/servers/${file}`, { env, flushMs })
  const { port } = await nextMessage<{ port: number }>(started)
  return { ...started, port }
}

/** The facilitator and the node, on the core of the load. */
export function startWorld(): Promise<Server> {
  return startServer('world.ts', {}, { core: LOAD_CORE })
}

/** What is started, with which options of Node and environment. */
export interface Program {
  readonly main: string
  readonly options: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const programOf = ([, ...args]: readonly string[], env: Program['env']): Program => ({
  main: args.at(-1) ?? '',
  options: args.slice(0, -1),
  env,
})

/** The sources, as `npm start` runs them once it has found its Node. */
export const SOURCES = programOf(
  JSON.parse(read('package.json')).scripts.start.split(' && ').at(-1).split(' '),
  {},
)

/** The service as the image runs it, bundled again. */
export function bundleImage(): Program {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../scripts/bundle-service.ts', import.meta.url))])
  const lines = read('Dockerfile')
  const [, command = ''] = /^CMD (.*)$/m.exec(lines) ?? []
  // glibc reads these before a process could set them for itself.
  const env = Array.from(lines.matchAll(/^ENV (MALLOC_\w+)=(\S+)$/gm), ([, name, value]) => [name, value])
  // The image's files may not be written, so no start finds what an earlier one compiled.
  return programOf(JSON.parse(command), { ...Object.fromEntries(env), NODE_DISABLE_COMPILE_CACHE: '1' })
}

/** Starts the service in live mode on a new store. */
export async function startOurs(
  world: Server,
  options: {
    readonly program?: Program
    readonly facilitator?: 'fast' | 'slow'
    readonly env?: Readonly<Record<string, string>>
    readonly nodeArgs?: readonly string[]
    readonly dataDir?: string
    readonly core?: number
    readonly flushMs?: number | undefined
  } = {},
): Promise<OurService> {
  const { program = SOURCES, facilitator = 'fast', env = {}, nodeArgs = [], core = SERVER_CORE } = options
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'format-checker-bench-'))
  const port = await freePort()
  const outside = `http://127.0.0.1:${world.port}`
  const begun = performance.now()
  const started = startPinned(core, program.main, {
    nodeArgs: [...program.options, ...nodeArgs],
    flushMs: options.flushMs,
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
      ...program.env,
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
