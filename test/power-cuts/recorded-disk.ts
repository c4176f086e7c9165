import { dirname } from 'node:path'
import type { SeededRandom } from '../support/seeded-random.ts'
import type { Event } from './recording.ts'

/** Disks write sectors of 512 bytes and systems pages of 4,096; a write may be torn at either. */
const TEARS = [512, 4_096]

/** What the control leaves out: the images must then show losses, or the replay sees nothing. */
export type Control = 'flushes nothing' | 'repairs nothing' | 'flushes no folder'

type Change =
  | { readonly at: number; readonly data: Buffer; readonly order: number }
  | { readonly size: number; readonly order: number }

interface File {
  /** What is on the disk for certain. */
  disk: Buffer
  /** Written and not flushed, oldest first. */
  pending: Change[]
  /** As the system sees it. */
  size: number
}

/** Null is a folder. */
type Names = Map<string, File | null>

/**
 * A disk under recorded system calls. A file holds what was flushed, and of what was not any sector in any of its
 * versions; a name is there for certain once its folder was flushed, those before it included. What a failed flush did
 * not write is lost, though the system takes it for written. A disk that lies about flushes is outside.
 */
export class RecordedDisk {
  readonly #root: string
  readonly #random: SeededRandom
  readonly #control: Control | undefined
  readonly #names: Names = new Map()
  readonly #kept: Names = new Map()
  #pendingNames: { readonly folder: string; readonly order: number; readonly act: (names: Names) => void }[] =
    []
  #order = 0

  constructor(root: string, random: SeededRandom, control?: Control) {
    this.#root = root
    this.#random = random
    this.#control = control
  }

  apply(event: Event): void {
    const order = this.#order++
    if (event.kind === 'told' || !event.path.startsWith(this.#root)) return
    const { path } = event
    const name = (act: (names: Names) => void) => {
      act(this.#names)
      this.#pendingNames.push({ folder: dirname(path), order, act })
    }
    switch (event.kind) {
      case 'write':
        this.#write(path, event.at, event.data, order)
        break
      case 'size':
        this.#change(path, { size: event.size, order }, event.size)
        break
      case 'create': {
        if (this.#names.has(path)) return
        const file: File = { disk: Buffer.alloc(0), pending: [], size: 0 }
        name((names) => names.set(path, file))
        break
      }
      case 'folder':
        name((names) => names.set(path, null))
        break
      case 'remove':
        name((names) => names.delete(path))
        break
      case 'link':
      case 'rename': {
        const file = this.#names.get(event.from)
        if (file === undefined) return
        name((names) => {
          names.set(path, file)
          if (event.kind === 'rename') names.delete(event.from)
        })
        break
      }
      case 'sync':
        this.#sync(event)
        break
    }
  }

  /** The files of the disk if the power went now: `whole` is how much of what is not flushed got there, from 0 to 1. */
  cut(whole: number): ReadonlyMap<string, Buffer> {
    const names: Names = new Map(this.#kept)
    const count = whole === 0 ? 0 : this.#random.int(this.#pendingNames.length + 1)
    for (const { act } of this.#pendingNames.slice(0, count)) act(names)
    const isThere = (path: string): boolean =>
      path === this.#root || (names.get(path) === null && isThere(dirname(path)))
    const files = [...names].flatMap(([path, file]) =>
      file !== null && isThere(dirname(path)) ? [[path, this.#torn(file, file.pending, whole)] as const] : [],
    )
    return new Map(files)
  }

  #write(path: string, at: number | 'end', data: Buffer, order: number): void {
    const size = this.#names.get(path)?.size ?? 0
    const from = at === 'end' ? size : at
    // The log written again at a start: SQLite writes the header of a frame and its page alone.
    const isRepair = path.endsWith('-wal') && data.length > 4_096
    if (isRepair && this.#control === 'repairs nothing') return
    this.#change(path, { at: from, data, order }, Math.max(size, from + data.length))
  }

  #change(path: string, change: Change, size: number): void {
    const file = this.#names.get(path)
    if (file === undefined || file === null) return
    file.pending.push(change)
    file.size = size
  }

  #sync({ path, begun, isDone }: Extract<Event, { kind: 'sync' }>): void {
    const file = this.#names.get(path)
    if (file === undefined || file === null) {
      if (!isDone || this.#control === 'flushes no folder') return
      const isOf = ({ folder, order }: { folder: string; order: number }) => folder === path && order < begun
      for (const { act } of this.#pendingNames.filter(isOf)) act(this.#kept)
      this.#pendingNames = this.#pendingNames.filter((each) => !isOf(each))
      return
    }
    if (this.#control === 'flushes nothing' && /-wal$|-journal$/.test(path)) return
    const due = file.pending.filter(({ order }) => order < begun)
    file.disk = this.#torn(file, due, isDone ? 1 : this.#random.int(4) / 4, isDone)
    file.pending = file.pending.filter(({ order }) => order >= begun)
  }

  /** What the disk holds of a file with some of these changes; of every sector each version if they are not `all`. */
  #torn({ disk }: File, changes: readonly Change[], whole: number, all = false): Buffer {
    if (changes.length === 0 || whole === 0) return disk
    const tear = this.#random.pick(TEARS)
    const most = changes.length
    const limits = new Map<number, number>()
    const limitOf = (sector: number) => {
      if (all) return most
      const limit =
        limits.get(sector) ?? (this.#random.int(100) < whole * 100 ? 1 + this.#random.int(most) : 0)
      limits.set(sector, limit)
      return limit
    }
    const sized = all ? most : this.#random.int(most + 1)
    let length = disk.length
    let image = Buffer.from(disk)
    for (const [at, change] of changes.entries()) {
      if ('size' in change) {
        if (at >= sized) continue
        length = change.size
        image.fill(0, Math.min(length, image.length))
        continue
      }
      const end = change.at + change.data.length
      if (image.length < end) image = Buffer.concat([image, Buffer.alloc(end - image.length)])
      if (at < sized) length = Math.max(length, end)
      for (let from = change.at; from < end; ) {
        const sector = Math.floor(from / tear)
        const to = Math.min(end, (sector + 1) * tear)
        if (at < limitOf(sector)) change.data.copy(image, from, from - change.at, to - change.at)
        from = to
      }
    }
    return length <= image.length ? image.subarray(0, length) : Buffer.concat([image], length)
  }
}
