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
