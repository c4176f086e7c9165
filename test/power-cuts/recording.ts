import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** A system call that changes a disk, or a line of what a program told; in the order in which they ended. */
export type Event =
  | { readonly kind: 'write'; readonly path: string; readonly at: number | 'end'; readonly data: Buffer }
  | { readonly kind: 'size'; readonly path: string; readonly size: number }
  /** `begun`: how many events had ended when it began. */
  | {
      readonly kind: 'sync'
      readonly call: string
      readonly path: string
      readonly begun: number
      readonly isDone: boolean
    }
  | { readonly kind: 'create' | 'folder' | 'remove'; readonly path: string }
  | { readonly kind: 'link' | 'rename'; readonly from: string; readonly path: string }
  | { readonly kind: 'told'; readonly line: string }

const CALLS =
  'openat,write,pwrite64,fdatasync,fsync,ftruncate,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,link,linkat'
const LONGEST_WRITE = 64 * 1024 * 1024

export interface RecordOptions {
  readonly command: readonly string[]
  readonly trace: string
  /** Faults as strace injects them. */
  readonly inject?: readonly string[]
  /** What a program writes into this file, a line at a time, takes its place among the events. */
  readonly told: string
  readonly env?: NodeJS.ProcessEnv
  /** The program tells nothing. */
  readonly isSilent?: boolean
}

/** Runs a command under `strace` and returns what it did to disks. Throws if there is no strace. */
export async function record(options: RecordOptions): Promise<readonly Event[]> {
  const { command, trace, inject = [], env } = options
  const faults = inject.flatMap((fault) => ['-e', `inject=${fault}`])
  const format = [
    '-f',
    '-qq',
    '-y',
    '-xx',
    '-s',
    String(LONGEST_WRITE),
    '--seccomp-bpf',
    '-e',
    `trace=${CALLS}`,
  ]
  const child = spawn('strace', [...format, ...faults, '-o', trace, ...command], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env, UV_USE_IO_URING: '0' },
  })
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints += chunk
  })
  await new Promise<void>((resolve, reject) => child.on('error', reject).on('close', () => resolve()))
  const events = await readTrace(options)
  if (!events.some(({ kind }) => kind === 'told') && !options.isSilent)
    throw new Error(`nothing was told: ${complaints}`)
  return events
}

const ENDED = /^(\d+) +(\w+)\((.*)\) += (-?\d+)/
const BEGUN = /^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$/
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)\) += (-?\d+)/

async function readTrace({ trace, told }: RecordOptions): Promise<readonly Event[]> {
  const events: Event[] = []
  const open = new Map<string, { readonly begun: number; readonly given: string }>()
  /** Of descriptors by number and path. */
  const places = new Map<string, number | 'end'>()
  for await (const line of createInterface({ input: createReadStream(trace) })) {
    const begins = BEGUN.exec(line)
    if (begins !== null) {
      open.set(`${begins[1]} ${begins[2]}`, { begun: events.length, given: begins[3] ?? '' })
      continue
    }
    const [, pid, call = '', given = '', result = ''] = ENDED.exec(line) ?? RESUMED.exec(line) ?? []
    const before = open.get(`${pid} ${call}`)
    if (!ENDED.test(line) && before === undefined) continue
    if (!ENDED.test(line)) open.delete(`${pid} ${call}`)
    const begun = ENDED.test(line) ? events.length : (before?.begun ?? 0)
    const whole = ENDED.test(line) ? given : `${before?.given}${given}`
    events.push(...eventsOf({ call, begun, told, places, given: whole, result: Number(result) }))
  }
  return events
}

interface Call {
  readonly call: string
  readonly given: string
  readonly result: number
  readonly begun: number
  readonly told: string
  readonly places: Map<string, number | 'end'>
}

const bytesOf = (text: string) => Buffer.from(text.replaceAll('\\x', ''), 'hex')

function eventsOf({ call, given, result, begun, told, places }: Call): readonly Event[] {
  const texts = Array.from(given.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g), ([, text = '']) => bytesOf(text))
  const [first = '', second = ''] = call.includes('write') ? [] : texts.map(String)
  const [, descriptor = '', hex = ''] = /^(\d+)<([^>]*)>/.exec(given) ?? []
  const path = bytesOf(hex).toString()
  if (call === 'fdatasync' || call === 'fsync')
    return [{ kind: 'sync', call, path, begun, isDone: result === 0 }]
  if (result < 0) return []
  const numbers = given.split(', ').map(Number)
  switch (call) {
    case 'openat': {
      places.set(`${result} ${first}`, given.includes('O_APPEND') ? 'end' : 0)
      const created = given.includes('O_CREAT') ? [{ kind: 'create', path: first } as const] : []
      return given.includes('O_TRUNC') ? [...created, { kind: 'size', path: first, size: 0 }] : created
    }
    case 'pwrite64':
    case 'write': {
      const data = (texts[0] ?? Buffer.alloc(0)).subarray(0, result)
      if (path === told)
        return String(data)
          .trimEnd()
          .split('\n')
          .map((line) => ({ kind: 'told', line }))
      if (call === 'pwrite64') return [{ kind: 'write', path, at: numbers.at(-1) ?? 0, data }]
      const at = places.get(`${descriptor} ${path}`) ?? 0
      if (at !== 'end') places.set(`${descriptor} ${path}`, at + result)
      return [{ kind: 'write', path, at, data }]
    }
    case 'ftruncate':
      return [{ kind: 'size', path, size: numbers.at(-1) ?? 0 }]
    case 'mkdir':
    case 'mkdirat':
      return [{ kind: 'folder', path: first }]
    case 'unlink':
    case 'unlinkat':
      return [{ kind: 'remove', path: first }]
    case 'link':
    case 'linkat':
      return [{ kind: 'link', from: first, path: second }]
    default:
      return [{ kind: 'rename', from: first, path: second }]
  }
}
