import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Below the range from which Linux takes ports by itself (32768 and up), so no other socket lands on one. */
const FIRST_PORT = 20_000
const PORT_COUNT = 12_000

/** Set by `run-setup.ts`; a script that runs without Vitest is a run of its own. */
const runId = (): string => process.env.FORMAT_CHECKER_TEST_RUN ?? String(process.pid)

/** The folder of the ports a run has given out. */
export const portsFolder = (run: string): string => join(tmpdir(), `format-checker-ports-${run}`)

/**
 * Returns a TCP port on loopback that no other test of this run ever gets, so that a service that is killed and
 * started again finds its port free. Ports are claimed as files, because a run has several processes.
 */
export async function freePort(): Promise<number> {
  const folder = portsFolder(runId())
  mkdirSync(folder, { recursive: true })
  const start = Math.floor(Math.random() * PORT_COUNT)
  for (let step = 0; step < PORT_COUNT; step += 1) {
    const port = FIRST_PORT + ((start + step) % PORT_COUNT)
    if (claim(join(folder, String(port))) && (await canListen(port))) return port
  }
  throw new Error('no port is free')
}

function claim(file: string): boolean {
  try {
    writeFileSync(file, '', { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
