import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Ledger, type PaymentRow, StoreUnavailable } from '../../src/ledger/ledger.ts'
import { openPostgresLedger, type PostgresOptions } from '../../src/ledger/postgres-ledger.ts'
import { holdTransaction, whenBlocked } from '../support/held-transaction.ts'
import { claimed, newTask } from '../support/ledger-rows.ts'
import { newPayment } from '../support/payment-rows.ts'
import { type PostgresServer, run, startPostgres } from '../support/postgres.ts'

/** Longer than any of these tests: whatever ends a wait is what the test is about. */
const NEVER_MS = 25_000

let server: PostgresServer
let url: string
const opened: Ledger[] = []

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())
beforeEach(async () => {
  url = await server.freshDatabase()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((ledger) => ledger.close()))
})

async function open(options: Partial<PostgresOptions> = {}): Promise<Ledger> {
  const ledger = await openPostgresLedger({ url, statementTimeoutMs: NEVER_MS, ...options })
  opened.push(ledger)
  return ledger
}

const lockRow = (row: PaymentRow) =>
  holdTransaction(url, `select 1 from payments where nonce = '${row.nonce}' for update`)
const unavailable = (call: Promise<unknown>) => expect(call).rejects.toThrow(StoreUnavailable)

describe('a server that is slow', () => {
  test('is waited for', async () => {
    const ledger = await open()
    const row = await claimed(ledger)
    const held = await lockRow(row)
    const moved = ledger.move(row, { state: 'settling' })
    await whenBlocked(url)
    await held.end('rollback')
    expect(await moved).toMatchObject({ state: 'settling' })
  })

  test('is waited for until the statement’s time is over, and then nothing is written', async () => {
    const ledger = await open({ statementTimeoutMs: 200 })
    const row = await claimed(ledger)
    const held = await lockRow(row)
    await unavailable(ledger.move(row, { state: 'settling' }))
    await unavailable(ledger.reclaim(row, { owner: 'boot-2' }, { kind: 'new', task: newTask() }))
    await held.end('rollback')
    expect(await ledger.find(row)).toEqual(row)
    expect(await ledger.move(row, { state: 'settling' })).not.toBeNull()
  })

  test('and does not even say so costs its connection, and the next call gets another', async () => {
    const ledger = await open({ statementTimeoutMs: 200, poolSize: 1 })
    const row = await claimed(ledger)
    const sessions = await run(
      url,
      `select pid from pg_stat_activity where application_name = 'format-checker' and datname = current_database()`,
    )
    const pids = sessions.map(({ pid }) => Number(pid))
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    try {
      await unavailable(ledger.find(row))
      expect(await ledger.find(row)).toEqual(row)
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT')
    }
  })

  test('keeps callers waiting for a connection only so long', async () => {
    const ledger = await open({ poolSize: 1, poolWaitMs: 300 })
    const row = await claimed(ledger)
    const held = await lockRow(row)
    const moved = ledger.move(row, { state: 'settling' })
    await whenBlocked(url)
    await Promise.all(Array.from({ length: 20 }, () => unavailable(ledger.find(row))))
    // What nobody waits for has connections of its own.
    expect(await ledger.counts('2026-11-20', '2026-11-20')).toEqual([])
    await held.end('rollback')
    expect(await moved).toMatchObject({ state: 'settling' })
    expect(await ledger.find(row)).toMatchObject({ state: 'settling' })
  })
})

describe('a server that takes no writes', () => {
  test('because it is read-only still answers what it knows', async () => {
    const row = await claimed(await open())
    await run(url, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
    const ledger = await open()
    expect(await ledger.find(row)).toEqual(row)
    expect(await ledger.unresolved(1, 1)).toEqual([])
    await unavailable(ledger.claim(newPayment()))
    await unavailable(ledger.claim(newPayment(), { kind: 'new', task: newTask() }))
    await unavailable(ledger.move(row, { state: 'settling' }))
    await unavailable(ledger.saveTask(newTask(), 10))
    await unavailable(ledger.noteDelivered(row, 1))
  })

  test('because its files cannot grow says so, keeps what it has, and takes what still fits', async () => {
    const small = await startPostgres({ largestFile: 2 ** 21 })
    try {
      const ledger = await openPostgresLedger({ url: await small.freshDatabase() })
      const row = await claimed(ledger)
      const fill = async () => {
        for (;;) await ledger.saveTask(newTask({ sealed: randomBytes(250_000) }), 100_000)
      }
      await unavailable(fill())
      expect(await ledger.find(row)).toEqual(row)
      expect(await ledger.move(row, { state: 'settling' })).toMatchObject({ state: 'settling' })
      await ledger.close()
    } finally {
      await small.remove()
    }
  })
})
