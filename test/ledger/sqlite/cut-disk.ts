import { existsSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { FlushCalls } from '../../../src/ledger/sqlite/log-flush.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'

const FILE = 'ledger.sqlite'
const LOG = 'ledger.sqlite-wal'
/** The disk writes sectors of 512 bytes and the system pages of 4,096; whichever is the case, a write may be torn there. */
const TEARS = [512, 4_096]
/** Bytes of the header of a log (sqlite.org/fileformat2.html#walformat). */
const HEADER = 32
const NOTHING = Buffer.alloc(0)

/** What the disk would hold of a store's two files if the power went now. */
export interface CutImage {
  readonly file: Buffer
  readonly log: Buffer
}

/** A disk below one SQLite store that loses what was not flushed. */
export interface CutDisk {
  readonly calls: Partial<FlushCalls>
  /** The next flush of the log fails, and the system forgets that its pages are not on the disk. */
  failNext(): void
  /** Shows an image of the disk as it is now: each sector that is not flushed holds its old bytes or its new ones. */
  cut(): void
}

/**
 * Stands between a store and its log, and knows which bytes of it a flush has put on the disk. The database is written by
 * checkpoints alone, each of which follows a flush; `onCut` also gets images from the midst of one. A `fault` is a disk
 * or a repair that must be noticed.
 */
export function cutDisk(
  folder: string,
  random: SeededRandom,
  onCut: (image: CutImage) => void,
  flushMs: number,
  fault?: 'flushes nothing' | 'repairs nothing',
): CutDisk {
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : NOTHING)
  /** What the disk holds of the log, and what the system takes to be there. */
  let disk: Buffer = read(LOG)
  let clean: Buffer = disk
  let file = read(FILE)
  let [fails, isRewritten, elapsed] = [false, false, 0]

  /** The old bytes with each sector that is not as the system takes it to be, or with some of them. */
  const written = (
    old: Buffer,
    fresh: Buffer,
    unchanged: Buffer,
    tear = 512,
    mayWrite = () => true,
  ): Buffer => {
    const image = Buffer.alloc(Math.max(old.length, fresh.length))
    old.copy(image)
    for (let at = 0; at < fresh.length; at += tear) {
      const sector = fresh.subarray(at, at + tear)
      if (!sector.equals(unchanged.subarray(at, at + tear)) && mayWrite()) sector.copy(image, at)
    }
    return image
  }
  const torn = (old: Buffer, fresh: Buffer, unchanged: Buffer): Buffer => {
    const share = random.int(5)
    return written(old, fresh, unchanged, random.pick(TEARS), () => random.int(4) < share)
  }
  const cut = (): CutImage => {
    const now = read(LOG)
    // SQLite itself flushes the header of a log that begins again, before it writes the first frame.
    if (disk.length > 0) now.copy(disk, 0, 0, HEADER)
    now.copy(clean, 0, 0, HEADER)
    return { file: read(FILE), log: torn(disk, now, isRewritten ? NOTHING : clean) }
  }
  /** Images of the disk before and in the midst of what it is asked for. */
  const seeCuts = () => {
    const moved = read(FILE)
    if (!moved.equals(file)) onCut({ file: torn(file, moved, file), log: disk })
    file = moved
    onCut(cut())
  }
  const flush = (): Error | null => {
    seeCuts()
    const now = read(LOG)
    if (fails) disk = cut().log
    else if (fault !== 'flushes nothing')
      disk = written(disk, now, isRewritten ? NOTHING : clean).subarray(0, now.length)
    const error = fails ? Object.assign(new Error('told to fail'), { code: 'EIO' }) : null
    clean = now
    ;[fails, isRewritten] = [false, false]
    return error
  }
  return {
    calls: {
      monotonicMs: () => (elapsed += flushMs),
      sync() {
        const error = flush()
        if (error !== null) throw error
      },
      async(_file, done) {
        const error = flush()
        setImmediate(() => done(error))
      },
      write(descriptor, bytes) {
        if (fault === 'repairs nothing') return
        writeSync(descriptor, bytes, 0, bytes.length, 0)
        isRewritten = true
        seeCuts()
      },
    },
    failNext: () => {
      fails = true
    },
    cut: seeCuts,
  }
}

/** Writes an image as the files of a store that is opened after the cut. */
export function placeImage(folder: string, { file, log }: CutImage): string {
  rmSync(join(folder, `${FILE}-shm`), { force: true })
  writeFileSync(join(folder, FILE), file)
  writeFileSync(join(folder, LOG), log)
  return join(folder, FILE)
}
