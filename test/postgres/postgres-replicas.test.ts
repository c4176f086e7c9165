import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Count } from '../../src/ledger/figures/operator-figures.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { PaymentRow } from '../../src/ledger/payments/payment-row.ts'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { holdTransaction, whenBlocked } from '../support/held-transaction.ts'
import { attached, claimed, newTask } from '../support/ledger-rows.ts'
import { newPayment } from '../support/payment-rows.ts'
import { databasePerTest } from '../support/test-databases.ts'

const database = databasePerTest()
let one: Ledger
let other: Ledger

beforeEach(async () => {
  one = await openPostgresLedger({ url: database.url })
  other = await openPostgresLedger({ url: database.url })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all([one.close(), other.close()])
})

const kindsOf = (outcomes: readonly { readonly kind: string }[]) =>
  outcomes.map(({ kind }) => kind).toSorted()
const settle = (ledger: Ledger, row: PaymentRow) =>
  ledger.move(row, { state: 'settled', transaction: `0x${'1'.repeat(64)}`, logIndex: 4, settledAt: 3_000 })

describe('two replicas on one database', () => {
  test('claim each authorization once between them', async () => {
    for (let round = 0; round < 30; round += 1) {
      const payment = newPayment()
      const outcomes = await Promise.all([
        one.claim({ ...payment, owner: 'one' }),
        other.claim({ ...payment, owner: 'other' }),
      ])
      expect(kindsOf(outcomes)).toEqual(['claimed', 'known'])
      expect(new Set(outcomes.map((outcome) => 'row' in outcome && outcome.row.owner)).size).toBe(1)
    }
  })

  test('claim each task once between them', async () => {
    for (let round = 0; round < 20; round += 1) {
      const task = newTask()
      await one.saveTask(task, 100)
      const outcomes = await Promise.all([
        one.claim(newPayment(), attached(task.key)),
        other.claim(newPayment(), attached(task.key)),
      ])
      expect(kindsOf(outcomes)).toEqual(['claimed', 'task_taken'])
    }
  })

  test('end each task once between them', async () => {
    for (let round = 0; round < 20; round += 1) {
      const task = newTask()
      await one.saveTask(task, 100)
      const ended = await Promise.all([
        one.endTask(task.key, 'canceled', Buffer.from('one'), 0),
        other.endTask(task.key, 'canceled', Buffer.from('other'), 0),
      ])
      expect(ended.toSorted()).toEqual([false, true])
    }
  })

  test('leave the task of a claim that was raced untouched', async () => {
    const payment = newPayment()
    const [mine, theirs] = [newTask(), newTask()]
    await one.saveTask(mine, 10)
    await one.saveTask(theirs, 10)
    const outcomes = await Promise.all([
      one.claim(payment, attached(mine.key)),
      other.claim(payment, attached(theirs.key)),
    ])
    expect(kindsOf(outcomes)).toEqual(['claimed', 'known'])
    const tasks = await Promise.all([one.findTask(mine.key), one.findTask(theirs.key)])
    expect(tasks.filter((task) => task?.payment === null)).toHaveLength(1)
  })

  test('tell a repeat of its own row, also when its task is gone', async () => {
    const row = await claimed(one)
    expect(await other.claim(newPayment({ nonce: row.nonce }), attached('unknown'))).toMatchObject({
      kind: 'known',
      row: { nonce: row.nonce },
    })
  })

  test('move and take over each row once between them', async () => {
    for (let round = 0; round < 20; round += 1) {
      const row = await claimed(one)
      const moved = await Promise.all([
        one.move(row, { state: 'settling', owner: 'one' }),
        other.move(row, { state: 'settling', owner: 'other' }),
      ])
      expect(moved.filter((outcome) => outcome !== null)).toHaveLength(1)
      const freed = await one.move((await one.find(row))!, { state: 'claimed', owner: null, leaseUntil: 0 })
      const taken = await Promise.all([
        one.reclaim(freed!, { owner: 'one', leaseUntil: 9 }),
        other.reclaim(freed!, { owner: 'other', leaseUntil: 9 }),
      ])
      expect(kindsOf(taken)).toEqual(['claimed', 'known'])
    }
  })

  test('settle one row per chain log, also when both write before either can see the other', async () => {
    const first = await claimed(one)
    const second = (await one.move(await claimed(one), { state: 'settling' }))!
    const held = await holdTransaction(
      database.url,
      `update payments set state = 'settled', tx = '0x${'1'.repeat(64)}', log_index = 4 where nonce = '${first.nonce}'`,
    )
    const late = settle(other, second)
    await whenBlocked(database.url)
    await held.end('commit')
    expect(await late).toBeNull()
    expect((await other.find(second))?.state).toBe('settling')
  })

  test('write one row per payment identifier as settling, also when both write before either can see the other', async () => {
    const identifier = randomBytes(32)
    const first = await claimed(one, { identifier })
    const second = newPayment({ identifier, settlingAt: 2_000 })
    const held = await holdTransaction(
      database.url,
      `update payments set state = 'settling' where nonce = '${first.nonce}'`,
    )
    const late = other.claim(second)
    await whenBlocked(database.url)
    await held.end('commit')
    expect(await late).toEqual({ kind: 'held' })
    expect(await other.find(second)).toBeNull()
  })

  test('hold a lock one at a time, and agree on a fact', async () => {
    for (let round = 0; round < 20; round += 1) {
      const name = `lock-${round}`
      const held = await Promise.all([
        one.acquireLock(name, 'one', 1_000, 2_000),
        other.acquireLock(name, 'other', 1_000, 2_000),
      ])
      expect(held.filter((holds) => holds)).toHaveLength(1)
      const facts = await Promise.all([one.ensureFact(name, 'a'), other.ensureFact(name, 'b')])
      expect(facts[0]).toBe(facts[1])
    }
  })

  test('add up their counts, in whatever order each has them', async () => {
    const [email, iban] = ['email', 'iban'].map((checkType) => ({
      ...{ day: '2026-11-20', surface: 'rest', outcome: 'sold' },
      checkType,
      count: 1,
    })) as [Count, Count]
    await one.addCounts([email, iban])
    // One waits for the held cell with the other cell still to write; the next then writes them the other way round.
    for (const held of [email, iban]) {
      const cell = await holdTransaction(
        database.url,
        `select 1 from counts where check_type = '${held.checkType}' for update`,
      )
      const last = held === email ? iban : email
      const waiting = one.addCounts([held, last])
      await whenBlocked(database.url)
      const reversed = other.addCounts([last, held])
      await whenBlocked(database.url, 2)
      await cell.end('rollback')
      await Promise.all([waiting, reversed])
    }
    await one.addCounts([iban, iban])
    await one.addCounts([])
    const counts = await other.counts('2026-11-20', '2026-11-20')
    expect(counts).toEqual([
      { ...email, count: 5 },
      { ...iban, count: 7 },
    ])
  })

  test('pass the cap of unpaid tasks by no more than they write at the same moment', async () => {
    const saved = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? one : other).saveTask(newTask(), 20)),
    )
    const kept = saved.filter((outcome) => outcome === 'saved').length
    // Each replica has ten connections.
    expect(kept).toBeGreaterThanOrEqual(20)
    expect(kept).toBeLessThanOrEqual(40)
    expect(await one.saveTask(newTask(), 20)).toBe('full')
  })
})
