import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { openJournal } from '../../packages/command/src/list/journal.ts'
import { openSpending } from '../../packages/command/src/mcp/spending.ts'
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts'
import { openDayBudget } from '../../src/main/signer/day-budget.ts'
import { type Claim, lossesOf } from '../support/kept-claims.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import type { Case } from './cases.ts'
import { type Recorded, recordCase } from './record-case.ts'
import { type Control, RecordedDisk } from './recorded-disk.ts'
import type { Told } from './told.ts'

/** Calls around a fault. */
const [BEFORE_FAULT, AFTER_FAULT] = [20, 400]

export interface Replayed {
  readonly control: Control | null
  readonly calls: number
  readonly images: number
  readonly claims: number
  /** One of each image that has any. */
  readonly losses: readonly string[]
}

/** Opens files as their program does at its next start. */
const OPENERS: Readonly<Record<string, (path: string) => void | Promise<void>>> = {
  'ledger.sqlite': async (path) => (await openSqliteLedger({ dataDir: dirname(path) })).close(),
  'spending.sqlite': (path) => openSpending(path, 1n, () => 0).close(),
  'list.journal': (path) =>
    openJournal(path, { type: 'iban', url: 'http://localhost' }).close({ isDone: false }),
}

/** Records a case once and cuts the power about `images` times, as it is and with each of its controls. */
export async function replayCase(each: Case, images: number, seed: number): Promise<readonly Replayed[]> {
  const folder = mkdtempSync(join(tmpdir(), 'format-checker-power-'))
  try {
    const root = join(folder, 'disk')
    const recorded = await recordCase(each, folder, root)
    const results: Replayed[] = []
    for (const control of [null, ...(each.controls ?? [])])
      results.push(await replay(recorded, { root, scratch: join(folder, 'image'), images, seed, control }))
    return results
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface ReplayOptions {
  readonly root: string
  readonly scratch: string
  readonly images: number
  readonly seed: number
  readonly control: Control | null
}

async function replay({ events, faultAt }: Recorded, options: ReplayOptions): Promise<Replayed> {
  const { root, scratch, control } = options
  const random = new SeededRandom(options.seed)
  const disk = new RecordedDisk(root, random, control ?? undefined)
  const told = new Map<string, Told>()
  const losses: string[] = []
  let [images, claims] = [0, 0]
  // Before the first claim there is nothing to lose.
  const first = events.findIndex(({ kind }) => kind === 'told')
  const isAfterFault = (at: number) =>
    faultAt !== null && at >= faultAt - BEFORE_FAULT && at < faultAt + AFTER_FAULT
  const moments = events.slice(first).map((_, at) => isAfterFault(first + at))
  const afterFault = moments.filter(Boolean).length
  // Half of the images are of the moments after a fault.
  const share = afterFault === 0 || afterFault === moments.length ? 1 : 2
  const due = options.images / (3 * share * (moments.length - afterFault))
  const dueAfterFault = options.images / (3 * share * afterFault)
  let owed = 0
  for (const [at, event] of events.entries()) {
    disk.apply(event)
    if (event.kind === 'told') {
      const each = JSON.parse(event.line) as Told
      told.set(`${each.file} ${each.name}`, each)
    }
    if (told.size === 0) continue
    for (owed += isAfterFault(at) ? dueAfterFault : due; owed > 0; owed -= 1)
      for (const whole of [0, random.int(4) / 4, 1]) {
        const files = place(scratch, root, disk.cut(whole))
        images += 1
        claims += told.size
        const found = await lossesIn(files, scratch, [...told.values()])
        if (found.length > 0) losses.push(found[0] ?? '')
      }
  }
  return { control, calls: events.length, images, claims, losses }
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
    const here = told.filter((each) => each.file === file)
    const claims = new Map<string, Claim>(
      here.flatMap((each) => ('claim' in each ? [[each.name, each.claim]] : [])),
    )
    try {
      for (const each of here)
        if ('text' in each && (!placed.has(file) || readFileSync(path, 'utf8') !== each.text))
          losses.push(`${file} is lost`)
      // Each process took its own part of the one budget.
      const spent = here.reduce((sum, each) => sum + ('spent' in each ? BigInt(each.spent) : 0n), 0n)
      if (spent > 0n && !isSpent(path, spent)) losses.push(`${file} has forgotten what was spent`)
      if (claims.size === 0) continue
      await OPENERS[file]?.(path)
      losses.push(...lossesOf(path, claims))
    } catch (error) {
      losses.push(`${file}: ${error}`)
    }
  }
  return losses
}

/** Whether so much of a budget is taken that what is left of exactly that is nothing. */
const isSpent = (path: string, spent: bigint): boolean => !openDayBudget(path, spent, () => 0).take(1n)
