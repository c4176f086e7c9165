import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { StoreUnavailable } from '../../src/ledger/store/store-unavailable.ts'
import { whenBlocked } from '../support/held-transaction.ts'
import { attached, claimed, newTask } from '../support/ledger-rows.ts'
import { run } from '../support/postgres.ts'
import { databasePerTest } from '../support/test-databases.ts'

/** Ends what hangs; a loaded machine takes many times longer than an idle one. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const database = databasePerTest()
let ledger: Ledger
let other: Client

beforeEach(async () => {
  other = new Client({ connectionString: database.url })
  await other.connect()
})
afterEach(async () => {
  await other.end()
  await ledger.close()
})

describe('a transaction of another client that is in the way', () => {
  test('ends a write in a deadlock: nothing of it is done, and done again it is whole', async () => {
    ledger = await openPostgresLedger({ url: database.url })
    const row = await claimed(ledger)
    const task = newTask()
    await ledger.saveTask(task, 10)
    await other.query('begin')
    // Of the two it is the ledger that looks for deadlocks first.
    await other.query(`set local deadlock_timeout = '1h'`)
    await other.query('update payments set attempts = attempts where nonce = $1', [row.nonce])
    const taken = ledger.reclaim(row, { owner: 'b', leaseUntil: 9_000 }, attached(task.key))
    const failed = expect(taken).rejects.toMatchObject({
      constructor: StoreUnavailable,
      cause: { code: '40P01' },
    })
    await whenBlocked(database.url)
    const locked = other.query('update tasks set sealed = sealed where key = $1', [task.key])
    await failed
    await locked
    await other.query('rollback')
    expect(await ledger.find(row)).toEqual(row)
    expect((await ledger.findTask(task.key))?.payment).toBeNull()
    expect(await ledger.reclaim(row, { owner: 'b', leaseUntil: 9_000 }, attached(task.key))).toMatchObject({
      kind: 'claimed',
      row: { owner: 'b' },
    })
  })

  test('is a faster writer and no serialization failure, whatever isolation the role asks for', async () => {
    const name = new URL(database.url).pathname.slice(1)
    await run(
      database.url,
      `alter role current_user in database ${name} set default_transaction_isolation = 'serializable'`,
    )
    ledger = await openPostgresLedger({ url: database.url })
    const row = await claimed(ledger)
    const task = newTask()
    await ledger.saveTask(task, 10)
    await other.query('begin')
    await other.query(`update payments set owner = 'faster' where nonce = $1`, [row.nonce])
    const moved = ledger.move(row, { state: 'settling' })
    const taken = ledger.reclaim(row, { owner: 'b', leaseUntil: 9_000 }, attached(task.key))
    await whenBlocked(database.url, 2)
    await other.query('commit')
    expect(await moved).toBeNull()
    expect(await taken).toMatchObject({ kind: 'known', row: { owner: 'faster', state: 'claimed' } })
    expect((await ledger.findTask(task.key))?.payment).toBeNull()
  })

  test('settles its row by the same transfer: of two rows one is settled, and the other is as it was', async () => {
    ledger = await openPostgresLedger({ url: database.url })
    const [faster, slower] = [await claimed(ledger), await claimed(ledger)]
    const transfer = { transaction: `0x${'ab'.repeat(32)}`, logIndex: 3 }
    const settling = (await ledger.move(slower, { state: 'settling' }))!
    await other.query('begin')
    await other.query(
      `update payments set state = 'settled', settled_at = 5, tx = $1, log_index = $2 where nonce = $3`,
      [transfer.transaction, transfer.logIndex, faster.nonce],
    )
    const moved = ledger.move(settling, { state: 'settled', settledAt: 6, ...transfer })
    await whenBlocked(database.url)
    await other.query('commit')
    expect(await moved).toBeNull()
    expect(await ledger.find(slower)).toEqual(settling)
  })
})
