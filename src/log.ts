import pino from 'pino'

/** Fields a log line may have; any other is dropped before it is written. */
const ALLOWED = [
  'requestId',
  'method',
  'route',
  'surface',
  'type',
  'status',
  'ms',
  'aborted',
  'code',
  'name',
  'at',
  'event',
  'mode',
  'url',
  'port',
  'setting',
  'count',
  'state',
  'transaction',
  'found',
  'settled',
  'void',
  'open',
] as const

type Entry = Readonly<Record<string, unknown>>

export interface Log {
  info(entry: object, message: string): void
  warn(entry: object, message: string): void
  error(entry: object, message: string): void
}

export type LogLevel = 'silent' | 'error' | 'warn' | 'info'

/** One JSON line per entry, to stdout or to where `write` puts it. */
export function createLog(options: {
  readonly level: LogLevel
  readonly write?: (line: string) => void
}): Log {
  const settings = { level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  const logger = options.write === undefined ? pino(settings) : pino(settings, { write: options.write })
  const writer = (name: 'info' | 'warn' | 'error'): Log['info'] =>
    logger.isLevelEnabled(name) ? (entry, message) => logger[name](allowed(entry as Entry), message) : nothing
  return { info: writer('info'), warn: writer('warn'), error: writer('error') }
}

const nothing = (): void => {}

function allowed(entry: Entry): Entry {
  const kept: Record<string, unknown> = {}
  for (const field of ALLOWED) if (entry[field] !== undefined) kept[field] = entry[field]
  return kept
}
