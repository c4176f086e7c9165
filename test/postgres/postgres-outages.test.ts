import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { PaymentRow } from '../../src/ledger/payments/payment-row.ts'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { StoreUnavailable } from '../../src/ledger/store/store-unavailable.ts'
import { holdTransaction, whenBlocked } from '../support/held-transaction.ts'
import { attached, claimed, newTask } from '../support/ledger-rows.ts'
import { newPayment } from '../support/payment-rows.ts'
import { run } from '../support/postgres.ts'
import { postgresStage, unavailable } from '../support/postgres-stage.ts'
import { reach } from '../support/reach-state.ts'

const stage = postgresStage()

/** Every method, with arguments that would succeed. */
const everyCall = (ledger: Ledger, row: PaymentRow): Record<string, Promise<unknown>> => ({
  find: ledger.find(row),
  claim: ledger.claim(newPayment()),
  claimWithTask: ledger.claim(newPayment(), { kind: 'new', task: newTask() }),
  reclaim: ledger.reclaim(row, { owner: 'boot-2' }),
  move: ledger.move(row, { state: 'settling' }),
  noteRepeat: ledger.noteRepeat(row, true, 1),
  noteDelivered: ledger.noteDelivered(row, 1, 9),
  unanswered: ledger.unanswered(row.payer, 'iban', 0, 1),
  findByIdentifier: ledger.findByIdentifier(randomBytes(32)),
  unresolved: ledger.unresolved(1, 1),
  unaudited: ledger.unaudited(1, 1),
  settled: ledger.settled(0, 1, 1),
  saveTask: ledger.saveTask(newTask(), 10),
  findTask: ledger.findTask('k'),
  endTask: ledger.endTask('k', 'canceled', Buffer.alloc(1), 1),
  addCounts: ledger.addCounts([
    { day: '2026-11-20', surface: 'a2a', checkType: 'iban', outcome: 'sold', count: 1 },
  ]),
  counts: ledger.counts('2026-11-20', '2026-11-20'),
  acquireLock: ledger.acquireLock('loop', 'a', 1, 2),
  releaseLock: ledger.releaseLock('loop', 'a'),
  findFact: ledger.findFact('a'),
  ensureFact: ledger.ensureFact('a', 'b'),
  replaceFact: ledger.replaceFact('a', 'b', 'c'),
  purge: ledger.purge(1, { deliveredMs: 1, undeliveredMs: 1 }),
  ready: ledger.ready(),
})

async function answersOf(calls: Record<string, Promise<unknown>>) {
  const settled = await Promise.allSettled(Object.values(calls))
  return settled.map((outcome) =>
    outcome.status === 'fulfilled' ? 'answered' : (outcome.reason as object).constructor,
  )
}

describe('a server that goes away', () => {
  test('is found again after a restart, with all that was written', async () => {
    const ledger = await stage.open()
    const row = await claimed(ledger)
    await stage.server.stop()
    expect(new Set(await answersOf(everyCall(ledger, row)))).toEqual(new Set([StoreUnavailable]))
    await stage.server.start()
    expect(await ledger.find(row)).toEqual(row)
    await claimed(ledger)
    expect(await ledger.ready()).toBe(true)
  })

  test('by a crash fails the calls under way, and loses nothing that had resolved', async () => {
    const ledger = await stage.open()
    const [row, task] = [await claimed(ledger), newTask()]
    // The next flushed write takes the task along.
    await ledger.saveTask(task, 10)
    const sold = await reach(ledger, await claimed(ledger), { state: 'settled', settledAt: 3_000 })
    const held = await holdTransaction(
      stage.url,
      `select 1 from payments where nonce in ('${row.nonce}', '${sold.nonce}') for update`,
      `select 1 from tasks where key = '${task.key}' for update`,
    )
    const late = newPayment()
    const underWay = [
      unavailable(ledger.move(row, { state: 'settling' })),
      unavailable(ledger.claim(late, attached(task.key))),
      unavailable(ledger.noteDelivered(sold, 5_000, 9)),
    ]
    await whenBlocked(stage.url, underWay.length)
    await stage.server.kill()
    await Promise.all(underWay)
    await held.abandon()
    await unavailable(ledger.find(row))
    await stage.server.start()
    expect(await ledger.find(row)).toEqual(row)
    expect(await ledger.find(late)).toBeNull()
    expect(await ledger.claim(late, attached(task.key))).toMatchObject({ kind: 'claimed' })
    expect(await ledger.move(row, { state: 'settling' })).not.toBeNull()
  })

  test('by a crash takes back at most what waited for no flush, and that in order', async () => {
    const ledger = await stage.open()
    const settling = await reach(ledger, await claimed(ledger), { state: 'settling' })
    const change = { state: 'settled', settledAt: 3_000, owner: null, leaseUntil: 0 } as const
    const settled = await ledger.moveUnflushed(settling, change)
    expect(settled).toMatchObject({ state: 'settled' })
    await ledger.noteDelivered(settling, 4_000, 9)
    const task = newTask()
    await ledger.saveTask(task, 10)
    await stage.server.kill()
    await stage.server.start()
    const kept = await ledger.find(settling)
    expect([null, { ...task, payment: null, ended: null }]).toContainEqual(await ledger.findTask(task.key))
    expect([settling, settled, { ...settled, awaitsAnswer: false, deliveredAt: 4_000 }]).toContainEqual(kept)
  })

  test('between the statements of a claim leaves neither its row nor its task', async () => {
    const ledger = await stage.open()
    const task = newTask()
    const payment = newPayment()
    const held = await holdTransaction(
      stage.url,
      `insert into payments select (json_populate_record(null::payments,
      '${JSON.stringify(stored(payment))}')).*`,
    )
    const claim = unavailable(ledger.claim(payment, { kind: 'new', task }))
    await whenBlocked(stage.url)
    await run(
      stage.url,
      `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'`,
    )
    await claim
    await held.end('rollback')
    expect(await ledger.find(payment)).toBeNull()
    expect(await ledger.findTask(task.key)).toBeNull()
  })

  test('that only drops its idle sessions ends neither the process nor the ledger', async () => {
    const ledger = await stage.open()
    const row = await claimed(ledger)
    await run(
      stage.url,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'format-checker'`,
    )
    // The end of the sessions is on its way to this process; a first call may still meet one of them.
    await ledger.find(row).catch(() => {})
    expect(await ledger.find(row)).toEqual(row)
  })
})

describe('a ledger that is closed', () => {
  test('waits for what is under way, answers nothing more, and may be closed twice', async () => {
    const ledger = await openPostgresLedger({ url: stage.url })
    const row = await claimed(ledger)
    const moved = ledger.move(row, { state: 'settling' })
    await ledger.close()
    expect(await moved).toMatchObject({ state: 'settling' })
    expect(new Set(await answersOf(everyCall(ledger, row)))).toEqual(new Set([StoreUnavailable]))
    await ledger.close()
    const left = `select 1 from pg_stat_activity where application_name = 'format-checker' and datname = current_database()`
    // The server ends a session a moment after its client has left.
    await expect.poll(() => run(stage.url, left)).toEqual([])
  })
})

/** A payment as a row of the table, for a writer that is not the ledger. */
const stored = (payment: ReturnType<typeof newPayment>) => ({
  ...{ network: payment.network, asset: payment.asset, payer: payment.payer, nonce: payment.nonce },
  ...{
    amount: '1000',
    pay_to: payment.payTo,
    origin: 'sale',
    valid_before: 1,
    state: 'claimed',
    lease_until: 1,
    attempts: 0,
  },
  ...{ surface: 'rest', check_type: 'iban', ruleset: 'r', mismatches: 0, claimed_at: 1 },
  ...{ shape: 'single', items: 1, awaits_answer: 0 },
})
