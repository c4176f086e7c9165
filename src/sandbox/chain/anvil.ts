import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { BASE_CHAIN_ID } from '../addresses.ts'
import { claimHome, HomeInUse, isAlive, logTail, releaseHome, stateFile } from './chain-home.ts'
import { freePort } from './free-port.ts'
import { callRpc } from './json-rpc.ts'

export interface Anvil {
  /** Loopback address of the node's JSON-RPC. */
  readonly rpcUrl: string
  readonly pid: number
  /** Resolves when anvil has ended, for whatever reason. */
  readonly ended: Promise<void>
  /** Saves the state and ends anvil; returns when it is gone. */
  stop(): Promise<void>
}

export interface AnvilOptions {
  readonly binary: string
  /** Keeps the chain between runs; without it the chain ends with the process. */
  readonly dataDir?: string
}

const KEEPER = fileURLToPath(new URL('./anvil-keeper.sh', import.meta.url))
const START_ATTEMPTS = 3
const START_TIMEOUT_MS = 15_000
const STOP_TIMEOUT_MS = 10_000

/**
 * The state is saved when anvil ends, and a state that was not saved in order is discarded. Throws with the tail of anvil's
 * log if it does not start.
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

async function launch({ binary, dataDir }: AnvilOptions): Promise<Anvil> {
  const home =
    dataDir === undefined ? await mkdtemp(join(tmpdir(), 'format-checker-chain-')) : resolve(dataDir)
  await mkdir(home, { recursive: true })
  await claimHome(home)
  const host = hiddenLoopback()
  const port = await freePort()
  const rpcUrl = `http://${host}:${port}`
  const fate = dataDir === undefined ? 'discard' : 'keep'
  const keeper = spawn('/bin/sh', [KEEPER, fate, home, binary, ...args(host, port, home)], {
    // Its own process group: Ctrl-C in a terminal must not end the chain before the service has drained.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  keeper.unref()
  keeper.stdin.on('error', () => {})
  const ended = once(keeper, 'exit').then(() => {})
  const pid = await firstNumber(keeper, ended)
  if (!(await answers(rpcUrl, ended))) {
    const words = logTail(home)
    await end(keeper, pid, ended)
    releaseHome(home)
    throw new Error(`anvil did not start: ${words}`)
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

/**
 * Returns a random address of the loopback network (127.0.0.0/8, RFC 1122). Anvil answers any Host and Origin, so a page
 * could use it if it found it; it would have to try 2^40 addresses and ports.
 */
function hiddenLoopback(): string {
  return `127.${[...randomBytes(3)].map((byte) => Math.max(1, Math.min(254, byte))).join('.')}`
}

async function firstNumber(keeper: ChildProcess, ended: Promise<void>): Promise<number> {
  const line = once(keeper.stdout as NodeJS.EventEmitter, 'data').then(([chunk]) => Number(String(chunk)))
  const pid = await Promise.race([line, ended])
  if (pid === undefined || !Number.isInteger(pid))
    throw new Error('anvil could not be started')
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
