import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { StartupError } from '../../catalog/startup-error.ts'
import { BASE_CHAIN_ID } from '../addresses.ts'
import { claimHome, HomeInUse, isAlive, logTail, releaseHome, stateFile } from './chain-home.ts'
import { freeAddress } from './free-address.ts'
import { callRpc } from './json-rpc.ts'

export interface Anvil {
  readonly rpcUrl: string
  readonly pid: number
  /** Resolves when anvil has ended, for whatever reason. */
  readonly ended: Promise<void>
  stop(): Promise<void>
}

export interface AnvilOptions {
  readonly binary: string
  /** Keeps the chain between runs; without it the chain ends with the process. */
  readonly dataDir?: string
  /** Of a binary without a folder. */
  readonly searchPath?: string | undefined
}

const KEEPER = fileURLToPath(new URL('./anvil-keeper.ts', import.meta.url))
const START_ATTEMPTS = 3
const START_TIMEOUT_MS = 15_000
const STOP_TIMEOUT_MS = 10_000

/**
 * Anvil fetches any address that a caller names (`anvil_reset` with a fork) and shows the answer. So it gets a proxy
 * where nothing can listen, and nothing of our environment but, on Windows, what every program needs.
 */
function environment(home: string, searchPath: string | undefined): NodeJS.ProcessEnv {
  const nowhere = 'http://127.0.0.1:0'
  return {
    ...{ HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, ALL_PROXY: nowhere, NO_PROXY: '' },
    ...{ PATH: searchPath, HOME: home },
  }
}

/**
 * A state that was not saved in order is discarded. Throws {@link StartupError} with the tail of anvil's log if it does
 * not start.
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(options)
    } catch (error) {
      // Another program may have taken the port meanwhile.
      if (attempt === START_ATTEMPTS || error instanceof HomeInUse) throw error
    }
  }
}

async function launch({ binary, dataDir, searchPath }: AnvilOptions): Promise<Anvil> {
  const home =
    dataDir === undefined ? await mkdtemp(join(tmpdir(), 'format-checker-chain-')) : resolve(dataDir)
  await mkdir(home, { recursive: true })
  await claimHome(home)
  const { host, port } = await freeAddress()
  const rpcUrl = `http://${host}:${port}`
  const fate = dataDir === undefined ? 'discard' : 'keep'
  const keeper = spawn(process.execPath, [KEEPER, fate, home, binary, ...args(host, port, home)], {
    env: environment(home, searchPath),
    // Its own process group: Ctrl-C in a terminal must not end the chain before the service has drained.
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  keeper.unref()
  keeper.stdin.on('error', () => {})
  const ended = once(keeper, 'exit').then(() => {})
  const pid = await firstNumber(keeper, ended)
  if (pid === undefined) throw notStarted(home)
  if (!(await answers(rpcUrl, ended))) {
    const fault = notStarted(home)
    await end(keeper, pid, ended)
    releaseHome(home)
    throw fault
  }
  return { rpcUrl, pid, ended, stop: () => end(keeper, pid, ended) }
}

function args(host: string, port: number, home: string): string[] {
  return [
    ['--chain-id', String(BASE_CHAIN_ID)],
    ['--host', host, '--port', String(port), '--no-cors'],
    // A block for each transaction, at once; the interval only lets time pass without transactions.
    ['--block-time', '300', '--mixed-mining'],
    // Old states would fill memory and then the disk, and nothing here reads them.
    ['--max-persisted-states', '0'],
    // No well-known developer accounts: their keys are public.
    ['--accounts', '0'],
    ['--state', stateFile(home)],
    ['--cache-path', join(home, 'chain-cache')],
    ['--quiet'],
  ].flat()
}

const notStarted = (home: string) =>
  new StartupError(
    `anvil, the chain of the sandbox, did not start (${logTail(home)}); start again, with an empty DATA_DIR if it fails again`,
  )

/** Undefined if anvil could not be started, or if another process took the directory. */
async function firstNumber(keeper: ChildProcess, ended: Promise<void>): Promise<number | undefined> {
  const line = once(keeper.stdout as NodeJS.EventEmitter, 'data').then(([chunk]) => Number(String(chunk)))
  const pid = await Promise.race([line, ended])
  if (pid === undefined || !Number.isInteger(pid))
    return undefined
    // Neither the keeper nor its pipe keeps this process alive.
  ;(keeper.stdout as unknown as { unref(): void }).unref()
  return pid
}

async function answers(rpcUrl: string, ended: Promise<void>): Promise<boolean> {
  const over = { is: false }
  void ended.then(() => {
    over.is = true
  })
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!over.is && Date.now() < deadline) {
    try {
      await callRpc(rpcUrl, 'eth_chainId')
      return !over.is
    } catch {
      await sleep(10)
    }
  }
  return false
}

/** Closes the keeper's pipe, which makes it end anvil; kills anvil if that does not help. */
async function end(keeper: ChildProcess, pid: number, ended: Promise<void>): Promise<void> {
  keeper.ref()
  keeper.stdin?.end()
  const late = Symbol('late')
  const timer = new AbortController()
  const outcome = await Promise.race([ended, sleep(STOP_TIMEOUT_MS, late, { signal: timer.signal })])
  timer.abort()
  if (outcome === late || isAlive(pid)) killQuietly(pid)
  await ended
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
