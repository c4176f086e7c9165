import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts'
import { type Claim, lossesOf } from '../../support/kept-claims.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import { NOW, useStore } from '../../support/store-acts.ts'
import { type CutImage, cutDisk, placeImage } from './cut-disk.ts'

const ACTS = 60
/** Few, so that the log is moved into the database every few writes. */
const LOG_PAGES = 40

/**
 * Uses a store on a disk that fails now and then, and opens what each cut of the power would leave. Returns what was lost:
 * a file that is damaged, or a write that its caller had been told is kept.
 */
async function findLosses(
  seed: number,
  flushMs: number,
  fault?: 'flushes nothing' | 'repairs nothing',
): Promise<string[]> {
  const random = new SeededRandom(seed)
  const folders = ['data', 'image'].map((name) => mkdtempSync(join(tmpdir(), `format-checker-cut-${name}-`)))
  onTestFinished(() => {
    for (const folder of folders) rmSync(folder, { recursive: true })
  })
  const [dataDir = '', scratch = ''] = folders
  const kept = new Map<string, Claim>()
  const tell = kept.set.bind(kept)
  const losses: string[] = []
  await (await openSqliteLedger({ dataDir })).close()
  const pragma = vi.spyOn(Database.prototype, 'pragma')
  const onCut = (image: CutImage) => losses.push(...lossesOf(placeImage(scratch, image), kept))
  const disk = cutDisk(dataDir, random, onCut, flushMs, fault)
  const ledger = await openSqliteLedger({
    dataDir,
    now: () => NOW,
    timing: {
      patience: (hurry) => ({ end: clearImmediate.bind(null, setImmediate(hurry)) }),
      flush: disk.calls,
      logPages: LOG_PAGES,
    },
  })
  const connection = pragma.mock.contexts.at(-1) as Database.Database
  pragma.mockRestore()
  for (let act = 0; act < ACTS; act += 1) {
    // A file that may not grow: the disk is full.
    connection.pragma(`max_page_count = ${random.int(6) === 0 ? 1 : 1_000_000}`)
    if (random.int(6) === 0) disk.failNext()
    // Those that fail promise nothing.
    await Promise.allSettled(Array.from({ length: 1 + random.int(3) }, () => useStore(ledger, random, tell)))
    disk.cut()
  }
  await ledger.close()
  return losses
}

test.each([
  ['on the event loop', 0],
  ['beside it', 3],
])('a power cut loses nothing that a caller was told is kept, with flushes %s', async (_where, flushMs) => {
  expect(await findLosses(1, flushMs)).toEqual([])
})

test.each(['flushes nothing', 'repairs nothing'] as const)('a store that %s is noticed', async (fault) => {
  expect((await findLosses(1, 0, fault)).length).toBeGreaterThan(0)
})
