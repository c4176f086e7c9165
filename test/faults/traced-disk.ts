import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { outcomeOf } from '../support/command.ts'
import type { SeededRandom } from '../support/seeded-random.ts'

/** A program's calls to the system, as strace writes those of its first thread, one a line. */
export async function traceCalls(
  args: readonly string[],
  options: {
    readonly folder: string
    readonly env: Readonly<Record<string, string>>
    readonly input?: string
  },
) {
  const place = mkdtempSync(join(options.folder, 'trace-'))
  const { env, input = '' } = options
  const calls = `trace=execve,openat,write,pwrite64,writev,ftruncate,fsync,fdatasync,unlink,unlinkat,rename,link`
  const strace = ['-ff', '-y', '-xx', '-s', '1000000', '-e', calls, '-o', join(place, 'calls')]
  const outcome = await outcomeOf([...strace, process.execPath, ...args], { program: 'strace', env, input })
  const threads = readdirSync(place).map((name) => readFileSync(join(place, name), 'latin1'))
  rmSync(place, { recursive: true })
  const lines = threads.find((text) => text.startsWith('execve('))?.split('\n') ?? []
  return { ...outcome, lines }
}

interface File {
  cached: Buffer
  durable: Buffer
}

/** The files of one folder, what of them is on the disk, and the requests that went out. */
export interface TracedDisk {
  /** Takes a call; returns what was written to a socket, or null. */
  apply(line: string): string | null
  /** Writes the files as a power cut may leave them: each unsynced sector and each unsynced name is there or is not. */
  writeImage(to: string, random: SeededRandom): void
}

const NOTHING = Buffer.alloc(0)
const SECTOR = 512

/** A folder that was empty before the first call. `flushes`: false for a disk on which a flush does nothing. */
export function tracedDisk(folder: string, flushes: boolean): TracedDisk {
  const cached = new Map<string, File>()
  let durable = new Map(cached)
  const offsets = new Map<string, number>()
  const nameOf = (path: string | undefined) =>
    path !== undefined && dirname(path) === folder ? relative(folder, path) : undefined

  const put = (file: File, bytes: Buffer, at: number) => {
    const grown = Buffer.alloc(Math.max(file.cached.length, at + bytes.length))
    file.cached.copy(grown)
    bytes.copy(grown, at)
    file.cached = grown
  }

  return {
    apply(line) {
      const [, call = '', args = '', result = ''] = /^(\w+)\((.*)\) += (\d+)/.exec(line) ?? []
      const texts = [...args.matchAll(/"((?:\\x[\da-f]{2})*)"/g)].map(([, hex = '']) => unhex(hex))
      const [, fd = '', target = ''] = /^(\d+)<([^>]*)>/.exec(args) ?? []
      const path = unhex(target).toString()
      const file = cached.get(nameOf(path) ?? '')
      const data = Buffer.concat(texts)
      const [first, second] = texts.map((text) => nameOf(text.toString()))
      if (path.startsWith('socket:')) return data.toString('latin1')
      if (call === 'openat' && first !== undefined) {
        offsets.set(result, 0)
        if (args.includes('O_CREAT') && !cached.has(first))
          cached.set(first, { cached: NOTHING, durable: NOTHING })
        if (args.includes('O_TRUNC')) cached.set(first, { cached: NOTHING, durable: NOTHING })
      } else if (call.startsWith('unlink') && first !== undefined) cached.delete(first)
      else if ((call === 'rename' || call === 'link') && first !== undefined && second !== undefined) {
        const moved = cached.get(first)
        if (moved !== undefined) cached.set(second, moved)
        if (call === 'rename') cached.delete(first)
      } else if (call === 'fsync' || call === 'fdatasync') {
        if (flushes && path === folder) durable = new Map(cached)
        else if (flushes && file !== undefined) file.durable = file.cached
      } else if (file !== undefined) {
        const last = Number(/(\d+)$/.exec(args)?.[1])
        if (call === 'pwrite64') put(file, data, last)
        else if (call === 'ftruncate') file.cached = Buffer.concat([file.cached], last)
        else if (call === 'write') {
          const at = offsets.get(fd) ?? 0
          put(file, data, at)
          offsets.set(fd, at + data.length)
        }
      }
      return null
    },
    writeImage(to, random) {
      for (const name of new Set([...cached.keys(), ...durable.keys()])) {
        const names = random.int(2) === 0 ? durable : cached
        const file = names.get(name)
        if (file !== undefined) writeFileSync(join(to, name), torn(file, random), { mode: 0o600 })
      }
    },
  }
}

function torn({ cached, durable }: File, random: SeededRandom): Buffer {
  if (cached.equals(durable)) return cached
  const isWhole = random.int(3)
  if (isWhole < 2) return isWhole === 0 ? durable : cached
  const image = Buffer.alloc(Math.max(cached.length, durable.length))
  for (let at = 0; at < image.length; at += SECTOR) {
    const source = random.int(2) === 0 ? durable : cached
    source.subarray(at, at + SECTOR).copy(image, at)
  }
  return image
}

const unhex = (text: string): Buffer => Buffer.from(text.replaceAll('\\x', ''), 'hex')
