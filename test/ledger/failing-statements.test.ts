import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { chargeWithTask, showCharge } from '../../src/ledger/channels/channel-tasks.ts'
import { openChannel } from '../../src/ledger/channels/channels.ts'
import { selectAttention } from '../../src/ledger/figures/attention.ts'
import { addCounts } from '../../src/ledger/figures/counts.ts'
import { movePayment, noteDelivered, noteRepeat } from '../../src/ledger/payments/payments.ts'
import { purge } from '../../src/ledger/payments/purge.ts'
import { sqliteSql } from '../../src/ledger/sqlite/sqlite-sql.ts'
import { shortenStrayLeases } from '../../src/ledger/sqlite/stray-leases.ts'
import { ensureFact, replaceFact } from '../../src/ledger/store/key-values.ts'
import { acquireLock, releaseLock } from '../../src/ledger/store/locks.ts'
import { MIGRATIONS_COLUMNS, MIGRATIONS_TABLE, migrate } from '../../src/ledger/store/migrations/migrate.ts'
import type { Sql } from '../../src/ledger/store/sql.ts'
import { bind } from '../../src/ledger/store/store.ts'
import { claim, claimUnseen, reclaim } from '../../src/ledger/tasks/claim.ts'
import { endTask, insertTask } from '../../src/ledger/tasks/tasks.ts'
import { release, reserve } from '../../src/ledger/treasury/reserves.ts'
import { newChannel } from '../support/channel-rows.ts'
import { attached, newTask } from '../support/ledger-rows.ts'
import { newPayment } from '../support/payment-rows.ts'

async function openStore(): Promise<Sql> {
  const db = sqliteSql(new Database(':memory:'))()
  await db.rows(`create table ${MIGRATIONS_TABLE} ${MIGRATIONS_COLUMNS}`)
  await migrate(db, 'blob')
  return db
}

/** The same store, of which one statement fails, a moment after it was sent, as over a network. */
function failingAt(place: number, db: Sql) {
  const count = { sent: 0 }
  const send = async <T>(run: () => Promise<T>): Promise<T> => {
    count.sent += 1
    if (count.sent !== place) return run()
    await new Promise((resolve) => setImmediate(resolve))
    throw new Error('told to fail')
  }
  const failing: Sql = {
    rows: (text, values) => send(() => db.rows(text, values)),
    changed: (text, values) => send(() => db.changed(text, values)),
  }
  return { db: failing, count }
}

const task = newTask()
const payment = newPayment({ taskKey: task.key, owner: null, leaseUntil: 0 })
const claimed = async (db: Sql) => {
  const outcome = await claim(db, payment, { kind: 'new', task })
  if (outcome.kind !== 'claimed') throw new Error(outcome.kind)
  return outcome.row
}
const nothing = async () => {}
/** Takes the last migration back. */
async function withoutHours(db: Sql): Promise<void> {
  await db.rows(`delete from ${MIGRATIONS_TABLE} where name = '0007-service-hours'`)
}

const SALE = { kind: 'sale', payers: [] } as const
const DAILY_LOSS_LIMIT = { day: '2026-11-20', most: 100n }
const OUTLAY = { spent: 1n, gas: 1n, shares: [{ payer: '0x1', amount: 1n }] }
const WINDOWS = { deliveredMs: 1, undeliveredMs: 1 }
const ATTENTION = { now: 1, undeliveredSince: 1, undeliveredBefore: 2, limit: 1 }
const COUNT = { day: '2026-11-20', surface: 'rest', checkType: 'iban', outcome: 'sold', count: 1 }

/** What is done with a store in which there is what the first function writes. */
const works: Record<string, readonly [(db: Sql) => Promise<unknown>, (db: Sql) => Promise<unknown>]> = {
  claim: [nothing, (db) => claim(db, payment, { kind: 'new', task })],
  'claim for a task that is there': [
    (db) => insertTask(db, task, 1),
    (db) => claimUnseen(db, payment, attached(task.key)),
  ],
  'claim for a task that is taken': [
    claimed,
    (db) => claimUnseen(db, newPayment(), { ...attached(task.key), now: 50_000 }),
  ],
  reclaim: [nothing, async (db) => reclaim(db, await claimed(db), { owner: 'boot-2' }, undefined)],
  move: [nothing, async (db) => movePayment(db, await claimed(db), { owner: 'boot-2' })],
  'note a repeat': [claimed, (db) => noteRepeat(db, payment, true, 1)],
  'note a delivery': [claimed, (db) => noteDelivered(db, payment, 1, 1)],
  'end a task': [claimed, (db) => endTask(db, task.key, 'canceled', task.sealed, 9)],
  'open a channel with a task': [
    nothing,
    (db) =>
      chargeWithTask(
        db,
        { kind: 'open', channel: newChannel() },
        { payment, attachment: { kind: 'new', task } },
      ),
  ],
  'show a charge': [
    (db) => openChannel(db, newChannel()),
    (db) => showCharge(db, { payment, attachment: { kind: 'new', task } }),
  ],
  'add counts': [nothing, (db) => addCounts(db, [COUNT])],
  'ensure a fact': [nothing, (db) => ensureFact(db, 'name', 'value')],
  'replace a fact': [
    (db) => ensureFact(db, 'name', 'value'),
    (db) => replaceFact(db, 'name', 'value', 'new'),
  ],
  'acquire a lock': [nothing, (db) => acquireLock(db, 'name', 'a', 1, 2)],
  'release a lock': [nothing, (db) => releaseLock(db, 'name', 'a')],
  'reserve for a sale': [nothing, (db) => reserve(db, 'k/1', SALE, 1n, DAILY_LOSS_LIMIT)],
  'reserve for a deposit': [
    (db) => reserve(db, 'k/1', SALE, 1n, DAILY_LOSS_LIMIT),
    (db) => reserve(db, 'k/1', { kind: 'deposit', payer: '0x1' }, 1n, DAILY_LOSS_LIMIT),
  ],
  'release a reserve': [
    (db) => reserve(db, 'k/1', SALE, 1n, DAILY_LOSS_LIMIT),
    (db) => release(db, 'k/1', OUTLAY),
  ],
  purge: [claimed, (db) => purge(bind((work) => work(db)))(9, WINDOWS)],
  'look for what a person should see': [nothing, (db) => selectAttention(db, ATTENTION)],
  'end stray leases': [nothing, (db) => shortenStrayLeases(db, 9)],
  migrate: [withoutHours, (db) => migrate(db, 'blob')],
}

test.each(Object.keys(works))('%s: no failure of a statement is lost', async (name) => {
  const [prepare, work] = works[name]!
  const once = async (place: number) => {
    const db = await openStore()
    await prepare(db)
    const failing = failingAt(place, db)
    return { count: failing.count, done: work(failing.db) }
  }
  const { count, done } = await once(0)
  await done
  expect(count.sent).toBeGreaterThan(0)
  for (let place = 1; place <= count.sent; place++)
    await expect((await once(place)).done).rejects.toThrow('told to fail')
})
