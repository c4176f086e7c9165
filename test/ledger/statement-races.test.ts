import Database from 'better-sqlite3'
import { beforeEach, describe, expect, test } from 'vitest'
import type { NewPayment } from '../../src/ledger/payments/new-payment.ts'
import { findPayment, insertPayment } from '../../src/ledger/payments/payments.ts'
import { sqliteSql } from '../../src/ledger/sqlite/sqlite-sql.ts'
import { MIGRATIONS_COLUMNS, MIGRATIONS_TABLE, migrate } from '../../src/ledger/store/migrations/migrate.ts'
import { Raced } from '../../src/ledger/store/raced.ts'
import type { Sql } from '../../src/ledger/store/sql.ts'
import { claimUnseen } from '../../src/ledger/tasks/claim.ts'
import { attachTask, endTask, findTask, insertTask } from '../../src/ledger/tasks/tasks.ts'
import { attached, newTask } from '../support/ledger-rows.ts'
import { newPayment } from '../support/payment-rows.ts'

const ENDED = Buffer.from('ended')
const NOW = 40_000
const OTHER_PAYER = `0x${'c'.repeat(40)}`

let db: Sql
let task: ReturnType<typeof newTask>
beforeEach(async () => {
  db = sqliteSql(new Database(':memory:'))()
  await db.rows(`create table ${MIGRATIONS_TABLE} ${MIGRATIONS_COLUMNS}`)
  await migrate(db, 'blob')
  task = newTask()
  await insertTask(db, task, 1)
})

/** The same store for a transaction beside which another one commits `act` after its first statement of this kind. */
function beatenAfter(statement: RegExp, act: () => Promise<unknown>): Sql {
  let isBeaten = false
  return {
    ...db,
    rows: async (text, values) => {
      const rows = await db.rows<never>(text, values)
      if (!isBeaten && statement.test(text)) {
        isBeaten = true
        await act()
      }
      return rows
    },
  }
}

/** Claims a payment for the task; its lease is over at `NOW`. */
async function claimFor(change: Partial<NewPayment> = {}): Promise<NewPayment> {
  const payment = newPayment({ taskKey: task.key, ...change })
  await attachTask(db, { ...attached(task.key), now: NOW }, payment)
  await insertPayment(db, payment)
  return payment
}

const end = (by: Sql, why: string) => endTask(by, task.key, why, ENDED, NOW)
const paymentOfTask = async () => (await findTask(db, task.key))?.payment

describe('of two transactions that are open at the same time, as on PostgreSQL,', () => {
  test('one ends an unpaid task', async () => {
    const slow = beatenAfter(/^select \* from tasks/, () => end(db, 'first'))
    expect(await end(slow, 'second')).toBe(false)
    expect(await findTask(db, task.key)).toMatchObject({ ended: 'first' })
  })

  test('one ends a task, or claims a payment for it', async () => {
    const payment = newPayment()
    const claim = () => attachTask(db, attached(task.key), payment)
    expect(await end(beatenAfter(/^select \* from tasks/, claim), 'canceled')).toBe(false)
    expect(await findTask(db, task.key)).toMatchObject({ ended: null, payment: { nonce: payment.nonce } })
  })

  test.each([
    ['payer'],
    ['nonce'],
  ] as const)('one frees a task of a claim that no process works on; both payments may have one %s', async (member) => {
    const idle = await claimFor()
    const other = () => claimFor({ payer: OTHER_PAYER, [member]: idle[member] })
    await expect(end(beatenAfter(/^update payments/, other), 'canceled')).rejects.toThrow('same moment')
    expect(await findTask(db, task.key)).toMatchObject({ ended: null })
  })

  test.each([
    ['payer'],
    ['nonce'],
  ] as const)('one takes a task from a claim that no process works on; both payments may have one %s', async (member) => {
    const idle = await claimFor()
    let winner: NewPayment | undefined
    const other = async () => {
      winner = await claimFor({ payer: OTHER_PAYER, [member]: idle[member] })
    }
    const slow = beatenAfter(/^update payments/, other)
    const attachment = { ...attached(task.key), now: NOW }
    await expect(attachTask(slow, attachment, newPayment())).rejects.toThrow('same moment')
    expect(await paymentOfTask()).toMatchObject({ payer: winner?.payer, nonce: winner?.nonce })
  })

  test('one claims a payment', async () => {
    const payment = newPayment()
    const slow = beatenAfter(/^update tasks/, () => insertPayment(db, { ...payment, owner: 'boot-2' }))
    await expect(claimUnseen(slow, payment, attached(task.key))).rejects.toThrow(Raced)
    expect(await findPayment(db, payment)).toMatchObject({ owner: 'boot-2' })
  })
})
