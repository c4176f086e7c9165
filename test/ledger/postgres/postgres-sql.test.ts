import { beforeEach, expect, test } from 'vitest'
import type { PostgresPool } from '../../../src/ledger/postgres/postgres-pool.ts'
import { postgresSql } from '../../../src/ledger/postgres/postgres-sql.ts'

/** What the pool was asked, in order. */
let asked: unknown[]
/** Statements that fail. */
let failing: readonly string[]
beforeEach(() => {
  asked = []
  failing = []
})

const connect = async () => ({
  query: async (text: string, values: readonly unknown[]) => {
    asked.push(values.length === 0 ? text : [text, ...values])
    if (failing.includes(text)) throw new Error(`${text} failed`)
    return { rows: [{ text }], rowCount: text === 'no count' ? null : 3 }
  },
  release: () => void asked.push('release'),
})
const db = () => postgresSql({ connect } as unknown as PostgresPool)

test('a statement has its values in the order of its marks, also when it is run again', async () => {
  const sql = db()
  const text = 'update t set b = :b where a = :a and b <> :b'
  const sent = 'update t set b = $1 where a = $2 and b <> $3'
  for (const b of [2, 3]) {
    asked = []
    expect(await sql.rows(text, { a: 1, b })).toEqual([{ text: sent }])
    expect(asked).toEqual([[sent, b, 1, b], 'release'])
  }
})

test('a change says how many rows it changed, and none if the server does not count', async () => {
  expect(await db().changed('delete from t')).toBe(3)
  expect(await db().changed('no count')).toBe(0)
})

test('a connection is given back after a statement that fails', async () => {
  failing = ['select 1']
  await expect(db().rows('select 1')).rejects.toThrow('select 1 failed')
  expect(asked).toEqual(['select 1', 'release'])
})

test('a transaction is one connection’s, and committed before its result is known', async () => {
  const result = await db().transaction(async (inner) => {
    await inner.rows('select :a', { a: 1 })
    return 'result'
  })
  expect(result).toBe('result')
  expect(asked).toEqual(['begin', ['select $1', 1], 'commit', 'release'])
})

test.each([
  [['begin'], 'begin failed', ['begin', 'rollback', 'release']],
  [['work'], 'work failed', ['begin', 'work', 'rollback', 'release']],
  [['work', 'rollback'], 'work failed', ['begin', 'work', 'rollback', 'release']],
  [['commit'], 'commit failed', ['begin', 'work', 'commit', 'rollback', 'release']],
])('a transaction in which %j fails is rolled back, and fails with the first error', async (fails, message, steps) => {
  failing = fails
  await expect(db().transaction((inner) => inner.rows('work'))).rejects.toThrow(message)
  expect(asked).toEqual(steps)
})
