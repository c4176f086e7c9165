/** Child processes of a benchmark: each on one processor core, none left behind. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

/** The core of the measured process, and the core of everything that measures it. */
export const SERVER_CORE = 0
export const LOAD_CORE = availableParallelism() > 1 ? 1 : 0

export interface PinnedProcess {
  readonly pid: number
  readonly child: ChildProcess
  stop(): Promise<void>
}

/** The program before which strace stands aside, but for its calls that flush: each of them takes so much longer. */
const onSlowDisk = (flushMs: number): readonly string[] => [
  ...['strace', '-D', '-f', '-qq', '--seccomp-bpf', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync'],
  ...['-e', `inject=fsync,fdatasync:delay_exit=${flushMs * 1_000}`],
]

/** Starts a file of this repository under this Node on one core, with a channel for messages. */
export function startPinned(
  core: number,
  file: string,
  options: {
    readonly args?: readonly string[]
    readonly env?: Readonly<Record<string, string>>
    readonly nodeArgs?: readonly string[]
    /** Milliseconds that each flush of its disk takes longer; needs strace. */
    readonly flushMs?: number | undefined
  } = {},
): PinnedProcess {
  const { args = [], env = {}, nodeArgs = [], flushMs } = options
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url))
  const slowed = flushMs === undefined ? [] : onSlowDisk(flushMs)
  const [program, ...rest] = [...slowed, 'taskset', '-c', String(core), process.execPath, '--no-warnings']
  const child = spawn(program!, [...rest, ...nodeArgs, path, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  return {
    pid: child.pid ?? 0,
    child,
    async stop() {
      process.off('exit', end)
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Starts a process on each of the two cores that does nothing but compute, and returns what ends them. */
export function keepBusy(): () => void {
  const children = [SERVER_CORE, LOAD_CORE].map((core) =>
    // By itself it ends with this process, also where that is killed.
    spawn('taskset', [
      ...['-c', String(core), process.execPath, '-e'],
      'const { ppid } = process; while (process.ppid === ppid);',
    ]),
  )
  const end = () => {
    process.off('exit', end)
    for (const child of children) child.kill('SIGKILL')
  }
  process.once('exit', end)
  return end
}

/** The next message of a child; rejects when it ends first. */
export function nextMessage<T>({ child }: PinnedProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`a process of the benchmark ended with ${code}`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message as T)
    })
  })
}
