import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresOptions } from '../../../src/ledger/postgres/postgres-ledger.ts'
import { ROOT, type Running, run } from '../command.ts'
import type { Line } from './register.ts'

/** What the processes work on; one at a time on SQLite. */
export type Store = PostgresOptions | { readonly dataDir: string }

const KEYS = ['1', '2', '3', '4']

/** Processes at work on one ledger, and all that they have written down. */
export interface Fleet {
  /** One more process, under a name of its own. Rejects if it ends before it has made a call. */
  add(): Promise<void>
  /** Ends the oldest process where it stands. */
  killOne(): Promise<void>
  /** Resolves when this many more calls were answered, by the store and not by its failure. */
  answered(more: number): Promise<void>
  /** The same for calls that the store did not answer. */
  failed(more: number): Promise<void>
  /** Ends all processes; what they wrote down. */
  stop(): Promise<readonly Line[]>
}

const LOOK_MS = 20

/** `launch` starts a program of Node, on a disk of its own for example. */
export function startFleet(store: Store, launch: typeof run = run): Fleet {
  const running: Running[] = []
  const all: Running[] = []
  // A killed process may have written half a line.
  const lines = () =>
    all.flatMap(({ stdout }) =>
      stdout.flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as Line] : [])),
    )
  const count = (rule: (answer: string | null) => boolean) =>
    lines().filter((line) => 'answer' in line && rule(line.answer)).length
  const until = async (rule: (answer: string | null) => boolean, more: number) => {
    for (const target = count(rule) + more; count(rule) < target; await sleep(LOOK_MS)) {
      const ended = running.find(({ child }) => child.exitCode !== null)
      if (ended !== undefined) throw new Error(`a worker ended: ${ended.stderr.join('\n')}`)
    }
  }
  const end = async (worker: Running) => {
    const closed = once(worker.child, 'close')
    worker.child.kill('SIGKILL')
    await closed
  }
  return {
    async add() {
      const number = all.length + 1
      const worker = launch([join(ROOT, 'test/support/histories/worker.ts')], {
        env: {
          NAME: `w${number}`,
          NUMBER: String(number),
          KEYS: KEYS.join(','),
          STORE: JSON.stringify(store),
        },
      })
      all.push(worker)
      await worker.line(/answer/)
      running.push(worker)
    },
    async killOne() {
      const worker = running.shift()
      if (worker !== undefined) await end(worker)
    },
    answered: (more) => until((answer) => answer !== null, more),
    failed: (more) => until((answer) => answer === null, more),
    async stop() {
      await Promise.all(running.splice(0).map(end))
      return lines()
    },
  }
}
