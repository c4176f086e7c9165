import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { PaymentRow } from '../../src/ledger/payments/payment-row.ts'
import type { MoveOptions } from '../../src/ledger/payments/payments.ts'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { attached, claimed, newTask } from '../support/ledger-rows.ts'
import { newPayment } from '../support/payment-rows.ts'
import { run } from '../support/postgres.ts'
import { testDatabases } from '../support/test-databases.ts'

const databases = testDatabases()
let ledger: Ledger

beforeEach(async () => {
  ledger = await openPostgresLedger({ url: await databases.fresh() })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await ledger.close()
})

const settle = (row: PaymentRow, options?: MoveOptions) =>
  ledger.move(
    row,
    { state: 'settled', transaction: `0x${'1'.repeat(64)}`, logIndex: 4, settledAt: 3_000 },
    options,
  )

describe('what a write costs and promises', () => {
  /** Statements sent, each one a round trip. */
  async function roundTrips(work: () => Promise<unknown>): Promise<number> {
    const sent = vi.spyOn(Client.prototype, 'query')
    await work()
    const count = sent.mock.calls.length
    sent.mockRestore()
    return count
  }

  test('a claim is one round trip, a claim with a task four', async () => {
    const task = newTask()
    await ledger.saveTask(task, 10)
    expect(await roundTrips(() => ledger.claim(newPayment()))).toBe(1)
    expect(await roundTrips(() => ledger.claim(newPayment(), attached(task.key)))).toBe(4)
    expect(await roundTrips(() => ledger.claim(newPayment(), { kind: 'new', task: newTask() }))).toBe(4)
  })

  test('a sale is settling, settled, delivered: three round trips', async () => {
    const sale = async () => {
      const settling = await claimed(ledger, { settlingAt: 2_000 })
      await settle(settling)
      await ledger.noteDelivered(settling, 4_000, 9)
    }
    expect(await roundTrips(sale)).toBe(3)
  })

  test('everything else a request does is one round trip each', async () => {
    const row = await claimed(ledger)
    const task = newTask()
    expect(await roundTrips(() => ledger.saveTask(task, 10))).toBe(1)
    expect(await roundTrips(() => ledger.findTask(task.key))).toBe(1)
    expect(await roundTrips(() => ledger.find(row))).toBe(1)
    expect(await roundTrips(() => ledger.noteRepeat(row, true, 5_000))).toBe(1)
    expect(await roundTrips(() => ledger.acquireLock('loop', 'a', 1, 2))).toBe(1)
  })

  test('what a payment depends on is on disk when it resolves, whatever the server’s default; the rest need not be', async () => {
    const lax = await databases.fresh()
    await run(lax, `alter database ${new URL(lax).pathname.slice(1)} set synchronous_commit = off`)
    const strict = await openPostgresLedger({ url: lax })
    await run(lax, 'create table seen (what text, setting text)')
    await run(
      lax,
      `create function note() returns trigger language plpgsql as $$ begin
         insert into seen values (coalesce(new.delivered_at::text, new.state), current_setting('synchronous_commit'));
         return new; end $$`,
    )
    await run(lax, 'create trigger t after insert or update on payments for each row execute function note()')
    await run(
      lax,
      `create function note_task() returns trigger language plpgsql as $$ begin
         insert into seen values ('task', current_setting('synchronous_commit')); return new; end $$`,
    )
    await run(lax, 'create trigger t after insert on tasks for each row execute function note_task()')
    await strict.saveTask(newTask(), 10)
    const row = await claimed(strict, { settlingAt: 2_000 })
    const settled = { state: 'settled', settledAt: 3_000 } as const
    await strict.moveUnflushed(row, settled)
    await strict.noteDelivered(row, 4_000, 9)
    const other = await claimed(strict)
    const settling = await strict.move(other, { state: 'settling' })
    await strict.move(settling!, settled)
    expect(await run(lax, 'select * from seen')).toEqual([
      { what: 'task', setting: 'off' },
      { what: 'settling', setting: 'on' },
      { what: 'settled', setting: 'off' },
      { what: '4000', setting: 'off' },
      { what: 'claimed', setting: 'on' },
      { what: 'settling', setting: 'on' },
      { what: 'settled', setting: 'on' },
    ])
    await strict.close()
  })

  test('whole numbers past 32 bits and amounts past 53 bits come back as they went', async () => {
    const change = { amount: 2n ** 200n, leaseUntil: 1_800_000_000_123, claimedAt: 1_700_000_000_456 }
    const row = await claimed(ledger, change)
    expect(await ledger.find(row)).toMatchObject(change)
  })
})
