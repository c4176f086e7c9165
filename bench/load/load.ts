/** The benchmark's side of the load generator, and what one window of load showed. */
import type { PinnedProcess } from '../processes.ts'
import { LOAD_CORE, nextMessage, startPinned } from '../processes.ts'
import type { Driven } from './drive.ts'
import type { FromLoader, Job, ToLoader } from './loader.ts'
import { processorTime } from './stopwatch.ts'

/** One window of load on one server. */
export interface Window {
  /** Expected answers per second. */
  readonly rate: number
  /** Milliseconds. */
  readonly p50: number
  /** Milliseconds. */
  readonly p99: number
  /** Processor time of the server per answer, in microseconds. */
  readonly cpu: number
  readonly answered: number
  /** Answers of any other status. */
  readonly others: Readonly<Record<string, number>>
}

export interface Load {
  /** Drives a server; `serverPid` is the process whose time is taken. */
  drive(serverPid: number, job: Job): Promise<Window>
  stop(): Promise<void>
}

/** Starts the load generator on its own core. */
export function startLoad(): Load {
  const loader = startPinned(LOAD_CORE, 'bench/load/loader.ts')
  return {
    async drive(serverPid, job) {
      await ask(loader, { kind: 'prepare', job })
      const before = processorTime(serverPid)
      const reply = await ask(loader, { kind: 'go' })
      const spent = processorTime(serverPid) - before
      if (reply.kind !== 'driven') throw new Error(reply.kind === 'failed' ? reply.why : 'out of turn')
      return windowOf(reply.driven, spent)
    },
    stop: () => loader.stop(),
  }
}

function ask(loader: PinnedProcess, message: ToLoader): Promise<FromLoader> {
  const reply = nextMessage<FromLoader>(loader)
  loader.child.send(message)
  return reply
}

function windowOf({ answered, others, seconds, p50, p99 }: Driven, spent: number): Window {
  const all = answered + Object.values(others).reduce((sum, count) => sum + count, 0)
  return { rate: answered / seconds, p50, p99, cpu: spent / all, answered, others }
}
