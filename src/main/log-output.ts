import { write, writeSync } from 'node:fs'
import { createLog, type Log, type LogLevel } from '../log.ts'

/** Characters that wait while the output takes nothing; later lines are dropped. */
const MOST_WAITING = 1_000_000
const RETRY_MS = 100

/** JSON lines on a pipe, readable lines on a terminal. */
export const openLog = (level: LogLevel): Log =>
  createLog({
    level,
    write: process.stdout.isTTY
      ? (line) => void process.stdout.write(terminalLine(line))
      : openLogOutput(process.stdout.fd),
  })

/**
 * Returns a function that writes log lines to a file descriptor, in order and without blocking the event loop. If nothing
 * can be written, as on a full disk or after the reader has left, sales go on: lines wait, up to a bound.
 */
export function openLogOutput(fd: number, mostWaiting = MOST_WAITING): (line: string) => void {
  let waiting = ''
  /** Being written, or refused and tried again. */
  let current = Buffer.alloc(0)
  let state: 'new' | 'idle' | 'writing' | 'pausing' = 'new'

  const writeOn = (): void => {
    if (current.length === 0) {
      current = Buffer.from(waiting)
      waiting = ''
    }
    if (current.length === 0) {
      state = 'idle'
      return
    }
    state = 'writing'
    write(fd, current, (error, written) => {
      if (error === null) {
        current = current.subarray(written)
        writeOn()
      } else {
        state = 'pausing'
        setTimeout(writeOn, RETRY_MS).unref()
      }
    })
  }

  /** Tries once more at the end of the process. */
  const flush = (): void => {
    let rest = Buffer.concat([state === 'writing' ? Buffer.alloc(0) : current, Buffer.from(waiting)])
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest))
    } catch {
      // There is no other place to report this.
    }
  }

  return (line) => {
    if (waiting.length + line.length > mostWaiting) return
    waiting += line
    if (state === 'new') process.once('exit', flush)
    if (state === 'new' || state === 'idle') writeOn()
  }
}

const LEVELS: Readonly<Record<number, string>> = { 30: 'info ', 40: 'warn ', 50: 'error' }
/** Fields with a place of their own in the line, and one that is of no use on a terminal. */
const PLACED = new Set(['level', 'time', 'msg', 'requestId'])

export function terminalLine(json: string): string {
  const entry = JSON.parse(json) as Readonly<Record<string, unknown>> & {
    level: number
    time: string
    msg: string
  }
  const fields = Object.entries(entry)
    .filter(([name]) => !PLACED.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  return `${[entry.time.slice(11, 19), LEVELS[entry.level] ?? 'info ', entry.msg, ...fields].join(' ')}\n`
}
