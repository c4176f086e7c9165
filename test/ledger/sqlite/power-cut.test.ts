import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts'
import { newChannel } from '../../support/channel-rows.ts'
import { type CutImage, cutDisk, placeImage } from '../../support/cut-disk.ts'
import { attached, newTask } from '../../support/ledger-rows.ts'
import { newPayment } from '../../support/payment-rows.ts'
import { SeededRandom } from '../../support/seeded-random.ts'

const ACTS = 60
/** Few, so that the log is moved into the database every few writes. */
const LOG_PAGES = 40
const DAY_MS = 86_400_000
const NOW = 1_000 * DAY_MS
const FUSE = { day: '1972-09-27', most: 10n ** 15n }

/** What a caller was told is kept: a query, what it asks for, and the values it may find. */
type Kept = Map<string, readonly [query: string, id: string, ...found: readonly unknown[]]>

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
  const kept = new Map() as Kept
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
    await Promise.allSettled(Array.from({ length: 1 + random.int(3) }, () => useStore(ledger, random, kept)))
    disk.cut()
  }
  await ledger.close()
  return losses
}

async function useStore(ledger: Ledger, random: SeededRandom, kept: Kept): Promise<void> {
  const payment = newPayment({ settlingAt: NOW, claimedAt: NOW })
  const claim = async (task?: Parameters<Ledger['claim']>[1]): Promise<PaymentRow> => {
    const outcome = await ledger.claim(payment, task)
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind)
    kept.set(payment.nonce, [
      'select state from payments where nonce = ?',
      payment.nonce,
      'settling',
      'settled',
    ])
    return outcome.row
  }
  switch (random.int(6)) {
    case 0: {
      const row = await claim()
      await ledger.move(row, { state: 'settled', settledAt: NOW, transaction: '0x1' }, { durable: false })
      return ledger.noteDelivered(row, NOW, 50)
    }
    case 1: {
      // Settled by this process: the worst cost is reserved and the transaction recorded before it is sent.
      const row = await claim()
      await ledger.reserve(row.nonce, { kind: 'sale', payers: [] }, 5n, FUSE)
      kept.set(`reserve ${row.nonce}`, ['select worst from treasury_reserves where id = ?', row.nonce, 5])
      await ledger.noteSent([row], `0x${row.nonce}`)
      kept.set(`sent ${row.nonce}`, ['select tx from payments where nonce = ?', row.nonce, `0x${row.nonce}`])
      return
    }
    case 2: {
      // Over A2A in one message, and with a payment that follows the task.
      const task = newTask({ createdAt: NOW, expiresAt: NOW + DAY_MS })
      const isLater = random.int(2) === 0
      if (isLater) await ledger.saveTask(task, 1_000)
      await claim(
        isLater ? { ...attached(task.key), expiresAt: NOW + DAY_MS, now: NOW } : { kind: 'new', task },
      )
      kept.set(task.key, ['select nonce from tasks where key = ?', task.key, payment.nonce])
      return
    }
    case 3: {
      const channel = newChannel()
      const opened = await ledger.openChannel(channel)
      if (opened === null) throw new Error('the channel is known')
      const charged = 'select charged from channels where id = ?'
      kept.set(channel.id, [charged, channel.id, '1000', '2000'])
      await ledger.moveChannel(opened, { charged: 2_000n })
      kept.set(channel.id, [charged, channel.id, '2000'])
      return
    }
    case 4: {
      const old = newPayment({ claimedAt: 1, validBefore: 2, leaseUntil: 3 })
      await ledger.claim(old)
      return void (await ledger.purge(NOW, { deliveredMs: DAY_MS, undeliveredMs: DAY_MS }))
    }
    default:
      return ledger.addCounts([
        { day: FUSE.day, surface: 'rest', checkType: 'iban', outcome: 'sold', count: 1 },
      ])
  }
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

function lossesOf(file: string, kept: Kept): readonly string[] {
  const database = new Database(file)
  try {
    database.pragma('synchronous = OFF')
    const health = database.pragma('integrity_check', { simple: true })
    if (health !== 'ok') return [String(health)]
    const statements = new Map<string, Database.Statement>()
    return [...kept.values()].flatMap(([query, id, ...allowed]) => {
      const statement = statements.get(query) ?? database.prepare(query).pluck()
      statements.set(query, statement)
      const found = statement.get(id)
      return allowed.includes(found) ? [] : [`${query} ${found}`]
    })
  } catch (error) {
    return [String(error)]
  } finally {
    database.close()
  }
}
