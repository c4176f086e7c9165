import { write, writeSync } from 'node:fs'

/** Characters that wait while the log takes none; lines beyond them are dropped. */
const MOST_WAITING = 1_000_000
const RETRY_MS = 100

/**
 * Returns what writes log lines to a file descriptor, in order and beside the event loop. A log that takes no lines, on a
 * full disk or with a reader that has left, holds up no sale and ends no process: lines wait until it takes them again,
 * and beyond a bound they are dropped.
 */
export function openLogOutput(fd: number, mostWaiting = MOST_WAITING): (line: string) => void {
  let waiting = ''
  /** Handed to the system, or refused by it. */
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

  /** What waits at the end of the process is tried once more. */
  const flush = (): void => {
    let rest = Buffer.concat([state === 'writing' ? Buffer.alloc(0) : current, Buffer.from(waiting)])
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest))
    } catch {
      // There is no other place to say it.
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
/** In the line's own places, or of no use to a reader. */
const PLACED = new Set(['level', 'time', 'msg', 'requestId'])

/**
 * Returns a JSON log line as a line for a terminal: time, level, message, then the fields as `name=value`. Every field is
 * from the log's own list, so the text holds nothing of a request.
 */
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
