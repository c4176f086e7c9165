/**
 * `npm run power-cuts [-- --images 600 --seed 1] [store|service|buyer]`: runs the store, the whole service and a buyer's files under a recorder of
 * system calls, rebuilds what disks would hold after a power cut at any moment, opens it with the real code and compares it
 * with what callers had been told. Needs strace.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { openJournal } from '../../packages/command/src/list/journal.ts'
import { openSpending } from '../../packages/command/src/mcp/spending.ts'
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts'
import { type Claim, lossesOf } from '../support/kept-claims.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { type Control, RecordedDisk } from './recorded-disk.ts'
import { type Event, record } from './recording.ts'
import type { Told } from './told.ts'

interface Subject {
  readonly name: string
  /** Arguments of each run of the program, one after another on the same files. */
  readonly runs: readonly (readonly string[])[]
  readonly inject?: readonly string[]
  readonly controls: readonly Control[]
}

const SUBJECTS: readonly Subject[] = [
  {
    name: 'store',
    runs: [['1'], ['2'], ['3', 'last']],
    // Flushes that fail, and a disk that is full for a moment.
    inject: ['fdatasync:error=EIO:when=9+7', 'pwrite64:error=ENOSPC:when=400+173'],
    controls: ['flushes nothing', 'repairs nothing'],
  },
  { name: 'service', runs: [[]], controls: ['flushes nothing'] },
  { name: 'buyer', runs: [['1'], ['2']], controls: ['flushes no folder'] },
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { images: { type: 'string', default: '600' }, seed: { type: 'string', default: '1' } },
})

/** Opens files as their program does at its next start. */
const OPENERS: Readonly<Record<string, (path: string) => void | Promise<void>>> = {
  'ledger.sqlite': async (path) => (await openSqliteLedger({ dataDir: dirname(path) })).close(),
  'spending.sqlite': (path) => openSpending(path, 1n, () => 0).close(),
  'list.journal': (path) =>
    openJournal(path, { type: 'iban', url: 'http://localhost' }).close({ isDone: false }),
}

let hasFailed = false
for (const subject of SUBJECTS) {
  if (positionals.length > 0 && !positionals.includes(subject.name)) continue
  const folder = mkdtempSync(join(tmpdir(), 'format-checker-power-'))
  try {
    const root = join(folder, 'disk')
    const events = await recorded(subject, folder, root)
    for (const control of [undefined, ...subject.controls]) {
      const { images, claims, losses } = await replay(events, root, join(folder, 'image'), control)
      const isRight = (losses.length === 0) === (control === undefined)
      hasFailed ||= !isRight
      console.log(
        `${subject.name}, ${control ?? 'as it is'}: ${events.length} calls, ${images} images, ${claims} claims, ` +
          `${losses.length} images with losses${isRight ? '' : `: WRONG\n  ${losses.slice(0, 5).join('\n  ')}`}`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
process.exitCode = hasFailed ? 1 : 0

/** Runs a program of a subject, as often as it is killed. */
async function recorded({ name, runs, inject = [] }: Subject, folder: string, root: string) {
  mkdirSync(root)
  const told = join(folder, 'told')
  const program = join(import.meta.dirname, 'programs', `${name}.ts`)
  const line = (args: readonly string[]) =>
    [process.execPath, program, root, told, ...args].map((each) => `'${each}'`).join(' ')
  return record({
    command: ['sh', '-c', `${runs.map(line).join('; ')}; true`],
    env: { TMPDIR: root },
    ...{ trace: join(folder, 'trace'), told, inject },
  })
}

async function replay(events: readonly Event[], root: string, scratch: string, control?: Control) {
  const random = new SeededRandom(Number(values.seed))
  const disk = new RecordedDisk(root, random, control)
  const told = new Map<string, Told>()
  const losses: string[] = []
  let [images, claims] = [0, 0]
  // Before the first claim there is nothing to lose.
  const first = events.findIndex(({ kind }) => kind === 'told')
  const chance = Math.max(1, Math.floor((3 * (events.length - first)) / Number(values.images)))
  for (const event of events) {
    disk.apply(event)
    if (event.kind === 'told') {
      const each = JSON.parse(event.line) as Told
      told.set(`${each.file} ${each.name}`, each)
    }
    if (told.size === 0 || random.int(chance) > 0) continue
    for (const whole of [0, random.int(4) / 4, 1]) {
      const files = place(scratch, root, disk.cut(whole))
      images += 1
      claims += told.size
      const found = await lossesIn(files, scratch, [...told.values()])
      if (found.length > 0) losses.push(found[0] ?? '')
    }
  }
  return { images, claims, losses }
}

/** Returns the files by their last names. */
function place(scratch: string, root: string, image: ReadonlyMap<string, Buffer>) {
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch)
  for (const [path, bytes] of image) {
    // The index of a log is made again, since a system that lost its power has none.
    if (path.endsWith('-shm')) continue
    const file = join(scratch, path.slice(root.length))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes)
  }
  return new Map([...image.keys()].map((path) => [basename(path), join(scratch, path.slice(root.length))]))
}

async function lossesIn(
  placed: ReadonlyMap<string, string>,
  scratch: string,
  told: readonly Told[],
): Promise<readonly string[]> {
  const losses: string[] = []
  for (const file of new Set(told.map((each) => each.file))) {
    const path = placed.get(file) ?? join(scratch, file)
    const claims = new Map<string, Claim>()
    for (const each of told) {
      if (each.file !== file) continue
      if ('claim' in each) claims.set(each.name, each.claim)
      else if (!placed.has(file) || readFileSync(path, 'utf8') !== each.text) losses.push(`${file} is lost`)
    }
    if (claims.size === 0) continue
    try {
      await OPENERS[file]?.(path)
      losses.push(...lossesOf(path, claims))
    } catch (error) {
      losses.push(`${file}: ${error}`)
    }
  }
  return losses
}
