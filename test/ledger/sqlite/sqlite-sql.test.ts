import Database from 'better-sqlite3'
import { expect, it, vi } from 'vitest'
import { sqliteSql } from '../../../src/ledger/sqlite/sqlite-sql.ts'

const open = () => {
  const database = new Database(':memory:')
  database.exec('create table t (a, b)')
  const prepare = vi.spyOn(database, 'prepare')
  return { database, over: sqliteSql(database), compiled: () => prepare.mock.calls.length }
}

it('a statement is compiled once, for all that run it', async () => {
  const { over, compiled } = open()
  await over().rows('insert into t values (:a, :b)', { a: 1, b: 2 })
  await over().rows('insert into t values (:a, :b)', { a: 3, b: 4 })
  expect(await over().rows('select * from t order by a')).toEqual([
    { a: 1, b: 2 },
    { a: 3, b: 4 },
  ])
  expect(compiled()).toBe(2)
})

it('there is an end to how many are kept', async () => {
  const { over, compiled } = open()
  const db = over()
  for (let number = 0; number <= 300; number++) await db.rows(`select ${number} as n`)
  expect(compiled()).toBe(301)
  await db.rows('select 300 as n')
  expect(compiled()).toBe(301)
  await db.rows('select 0 as n')
  expect(compiled()).toBe(302)
})

it('a parameter may be used twice, and a change says how many rows it changed', async () => {
  const db = open().over()
  for (const a of [1, 2, 3]) await db.rows('insert into t values (:a, :a)', { a })
  expect(await db.changed('update t set b = 0 where a >= :least and b >= :least', { least: 2 })).toBe(2)
})

it('a reader on the connection that writes sees nothing of a transaction before its end', async () => {
  const { database, over } = open()
  const writes: { transaction: Promise<void> | null } = { transaction: null }
  const reader = over(writes)
  const ended = Promise.withResolvers<void>()
  writes.transaction = ended.promise
  database.exec('begin; insert into t values (1, 1)')
  const seen = reader.rows('select count(*) as n from t')
  const changed = reader.changed('update t set b = 2')
  await new Promise((resolve) => setImmediate(resolve))
  database.exec('rollback')
  writes.transaction = null
  ended.resolve()
  expect(await seen).toEqual([{ n: 0 }])
  expect(await changed).toBe(0)
})
