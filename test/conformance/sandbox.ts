/** The whole service in its sandbox, as `npm start` runs it on a fresh machine, with the buyer it provides. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Target } from './target.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const START_MS = 300_000

/** `settings` differ from those of the other trials. */
export async function startSandbox(settings: Readonly<Record<string, string>> = {}): Promise<Target> {
  const dataDir = await mkdtemp(join(tmpdir(), 'format-checker-'))
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: ROOT,
    // The suites send more unpaid requests in a minute than one client may.
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, RATE_LIMIT_UNPAID: '0', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  async function stop() {
    child.kill('SIGTERM')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const origin = await originIn(child.stdout, ended)
    return { ...(await targetAt(origin)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A sandbox that already runs. */
export async function runningSandbox(origin: string): Promise<Target> {
  return { ...(await targetAt(origin)), stop: () => Promise.resolve() }
}

async function targetAt(origin: string): Promise<Omit<Target, 'stop'>> {
  const answer = await fetch(`${origin}/sandbox.json`)
  const { buyer } = (await answer.json()) as { buyer: { privateKey: `0x${string}` } }
  return { origin, url: `${origin}/mcp`, privateKey: buyer.privateKey }
}

/** Reads on until the service has made its own first sale, which the buyer pays for, then lets the rest of its words run by. */
async function originIn(output: NodeJS.ReadableStream, ended: Promise<void>): Promise<string> {
  const lines = createInterface({ input: output })
  const sold = new Promise<string>((resolve) => {
    let origin = ''
    lines.on('line', (line) => {
      origin ||= /^ *service +(\S+)$/.exec(line)?.[1] ?? ''
      if (line.startsWith('first paid check:')) resolve(origin)
    })
  })
  const failed = (why: string) => Promise.reject(new Error(`the service did not start: ${why}`))
  return Promise.race([
    sold,
    ended.then(() => failed('it ended')),
    new Promise<void>((resolve) => setTimeout(resolve, START_MS).unref()).then(() =>
      failed('it took too long'),
    ),
  ])
}
