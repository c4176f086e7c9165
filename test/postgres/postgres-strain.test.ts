import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createReadiness } from '../../src/app/health/readiness.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { PaymentRow } from '../../src/ledger/payments/payment-row.ts'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { StoreUnavailable } from '../../src/ledger/store/store-unavailable.ts'
import { eventually } from '../support/eventually.ts'
import { holdTransaction, whenBlocked } from '../support/held-transaction.ts'
import { claimed, newTask } from '../support/ledger-rows.ts'
import { newPayment } from '../support/payment-rows.ts'
import { run, startPostgres } from '../support/postgres.ts'
import { postgresStage, unavailable } from '../support/postgres-stage.ts'

const stage = postgresStage()

const lockRow = (row: PaymentRow) =>
  holdTransaction(stage.url, `select 1 from payments where nonce = '${row.nonce}' for update`)

/** A claimed row, and the row as it is, from a ledger whose patience is less than this machine may ask for. */
async function claimedInTime(ledger: Ledger): Promise<PaymentRow> {
  for (;;) {
    const row = await claimed(ledger).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) throw error
    })
    if (row !== undefined) return row
  }
}
const seenInTime = (ledger: Ledger, row: PaymentRow) =>
  eventually(() => ledger.find(row).catch(() => 'unavailable'))

describe('a server that is slow', () => {
  test('is waited for', async () => {
    const ledger = await stage.open()
    const row = await claimed(ledger)
    const held = await lockRow(row)
    const moved = ledger.move(row, { state: 'settling' })
    await whenBlocked(stage.url)
    await held.end('rollback')
    expect(await moved).toMatchObject({ state: 'settling' })
  })

  test('is waited for until the statement’s time is over, and then nothing is written', async () => {
    const ledger = await stage.open({ statementTimeoutMs: 200 })
    const row = await claimedInTime(ledger)
    const held = await lockRow(row)
    await unavailable(ledger.move(row, { state: 'settling' }))
    await unavailable(ledger.reclaim(row, { owner: 'boot-2' }, { kind: 'new', task: newTask() }))
    await held.end('rollback')
    await seenInTime(ledger, row).toEqual(row)
    await eventually(async () => {
      await ledger.move(row, { state: 'settling' })
      return (await ledger.find(row))?.state
    }).toBe('settling')
  })

  test('and does not even say so costs its connection, and the next call gets another', async () => {
    const ledger = await stage.open({ statementTimeoutMs: 200, poolSize: 1 })
    const row = await claimedInTime(ledger)
    const sessions = await run(
      stage.url,
      `select pid from pg_stat_activity where application_name = 'format-checker' and datname = current_database()`,
    )
    const pids = sessions.map(({ pid }) => Number(pid))
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    try {
      await unavailable(ledger.find(row))
      await seenInTime(ledger, row).toEqual(row)
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT')
    }
  })

  test('keeps callers waiting for a connection only so long', async () => {
    const ledger = await stage.open({ poolSize: 1, poolWaitMs: 300 })
    const row = await claimed(ledger)
    const held = await lockRow(row)
    const moved = ledger.move(row, { state: 'settling' })
    await whenBlocked(stage.url)
    await Promise.all(Array.from({ length: 20 }, () => unavailable(ledger.find(row))))
    // Background work has connections of its own.
    expect(await ledger.counts('2026-11-20', '2026-11-20')).toEqual([])
    await held.end('rollback')
    expect(await moved).toMatchObject({ state: 'settling' })
    expect(await ledger.find(row)).toMatchObject({ state: 'settling' })
  })
})

test('a ledger opens at most ten connections for sales and two for other work, and uses all of them', async () => {
  const ledger = await stage.open({ poolWaitMs: 100_000 })
  const row = await claimed(ledger)
  const held = await holdTransaction(stage.url, 'lock table payments, counts')
  const reads = Array.from({ length: 11 }, () => ledger.find(row))
  const others = Array.from({ length: 3 }, () => ledger.counts('2026-11-20', '2026-11-20'))
  await whenBlocked(stage.url, 10)
  expect(ledger.load.connections()).toEqual({ open: 10, used: 10 })
  expect(ledger.load.waiting()).toBe(1)
  await held.end('rollback')
  await Promise.all([...reads, ...others])
  expect(ledger.load.connections()).toEqual({ open: 10, used: 0 })
  // Every connection that was opened is kept for a minute.
  const sessions = await run(
    stage.url,
    `select 1 from pg_stat_activity where application_name = 'format-checker' and datname = current_database()`,
  )
  expect(sessions).toHaveLength(12)
})

describe('a server that takes no writes', () => {
  test('because it is read-only still answers what it knows', async () => {
    const row = await claimed(await stage.open())
    await run(
      stage.url,
      `alter database ${new URL(stage.url).pathname.slice(1)} set default_transaction_read_only = on`,
    )
    const ledger = await stage.open()
    expect(await ledger.find(row)).toEqual(row)
    expect(await ledger.unresolved(1, 1)).toEqual([])
    await unavailable(ledger.claim(newPayment()))
    await unavailable(ledger.claim(newPayment(), { kind: 'new', task: newTask() }))
    await unavailable(ledger.move(row, { state: 'settling' }))
    await unavailable(ledger.saveTask(newTask(), 10))
    await unavailable(ledger.noteDelivered(row, 1, 9))
  })

  test('because it is read-only is not ready, and the status names it', async () => {
    await (await stage.open()).close()
    await run(
      stage.url,
      `alter database ${new URL(stage.url).pathname.slice(1)} set default_transaction_read_only = on`,
    )
    const readiness = createReadiness(await stage.open())
    await expect(readiness.ready()).rejects.toThrow('PostgreSQL')
    expect(await readiness.troubles({ troubles: () => [] })).toEqual(['store_read_only'])
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
