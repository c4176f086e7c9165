import type { Control } from './recorded-disk.ts'
import type { Event } from './recording.ts'

export interface Run {
  readonly program: 'store' | 'reader' | 'service' | 'buyer' | 'signer'
  readonly args?: readonly string[]
}

/** What happens to one flush of such a path, in so great a part of the run, and to no other call. */
export interface Fault {
  readonly call: 'fsync'
  readonly of: RegExp
  /** Only the third behind one of such a path. */
  readonly behind?: RegExp
  readonly part: number
  readonly act: 'error=EIO' | 'error=EIO:signal=KILL'
}

export interface Case {
  readonly name: string
  /** One after another on the same files; each is killed, or ends at its fault. */
  readonly runs: readonly Run[]
  /** Of the first run. */
  readonly fault?: Fault
  /** Faults of every run that need no certain place, as strace injects them. */
  readonly inject?: readonly string[]
  readonly controls?: readonly Control[]
  /** Whether the calls, by runs, have the case. */
  readonly meets?: (runs: readonly (readonly Event[])[]) => boolean
}

const LOG = /ledger\.sqlite-wal$/
const DATABASE = /ledger\.sqlite$/

const store = (seed: number, ...end: readonly string[]): Run => ({
  program: 'store',
  args: [`${seed}`, ...end],
})
const STORE = [store(1), store(2), store(3, 'last')]
const buyer = (seed: number): Run => ({ program: 'buyer', args: [`${seed}`] })
const BUYER = [buyer(1), buyer(2)]
const SIGNER: readonly Run[] = [{ program: 'signer' }, { program: 'signer' }]

/** Where the log has begun again, so that the next process appends behind it before it moves the log. */
const failsInShortLog = (part: number): Fault => ({ ...fails(LOG, part), behind: DATABASE })
const fails = (of: RegExp, part: number): Fault => ({ call: 'fsync', of, part, act: 'error=EIO' })
const dies = (of: RegExp, part: number): Fault => ({ call: 'fsync', of, part, act: 'error=EIO:signal=KILL' })

const writes = (events: readonly Event[], of: RegExp) =>
  events.filter((event) => (event.kind === 'write' || event.kind === 'size') && of.test(event.path))

export const CASES: readonly Case[] = [
  ...[0.3, 0.6, 0.9].map(
    (part): Case => ({
      name: `store: a flush of the log fails, and the process ends (${part})`,
      runs: STORE,
      fault: failsInShortLog(part),
      controls: ['flushes nothing', 'repairs nothing'],
    }),
  ),
  ...[0.2, 0.5, 0.8].map(
    (part): Case => ({
      name: `store: a flush of the database fails, and the process ends (${part})`,
      runs: STORE,
      fault: fails(DATABASE, part),
      controls: ['flushes nothing'],
    }),
  ),
  {
    name: 'store: the log begins again between kills',
    runs: STORE,
    controls: ['flushes nothing'],
    meets: (runs) =>
      writes(runs.flat(), LOG).filter(
        (event) => event.kind === 'write' && event.at === 0 && event.data.length === 32,
      ).length > 4,
  },
  {
    name: 'store: a reader after a flush that failed',
    runs: [store(1), { program: 'reader' }, store(2)],
    fault: failsInShortLog(0.7),
    controls: ['repairs nothing'],
    meets: ([, reader = []]) => writes(reader, /ledger\.sqlite(-wal)?$/).length === 0,
  },
  {
    name: 'store: the disk is full for a moment',
    runs: STORE,
    inject: ['pwrite64:error=ENOSPC:when=400+173'],
    controls: ['flushes nothing'],
  },
  { name: 'service', runs: [{ program: 'service' }], controls: ['flushes nothing'] },
  ...(
    [
      ['the flush of a journal fails', fails(/-journal$/, 0.5)],
      ['the flush of a database fails', fails(/(spending\.sqlite|list\.journal)$/, 0.5)],
      ['the flush of the folder of a database fails', fails(/state$/, 0.5)],
      ['the flush of a key or an output fails', fails(/(key|output)-[^/]*$/, 0.5)],
      ['death between rename and the flush of the folder', dies(/disk$/, 0.5)],
    ] as const
  ).map(
    ([what, fault]): Case => ({
      name: `buyer: ${what}`,
      runs: BUYER,
      fault,
      controls: ['flushes no folder'],
    }),
  ),
  {
    name: 'signer: a flush of its budget fails',
    runs: SIGNER,
    fault: fails(/budget\.json\.new$/, 0.5),
    controls: ['flushes no folder'],
  },
  {
    name: 'signer: death between rename and the flush of the folder',
    runs: SIGNER,
    fault: dies(/disk$/, 0.5),
    controls: ['flushes no folder'],
  },
]
