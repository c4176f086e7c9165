import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { cacheStatements } from '../../../src/ledger/sqlite/statement-cache.ts'

it('a statement is compiled once, and again after the tables have changed', () => {
  const database = new Database(':memory:')
  database.exec('create table t (a)')
  const statements = cacheStatements(database)
  const first = statements.prepare('select * from t')
  expect(statements.prepare('select * from t')).toBe(first)
  database.exec('alter table t add column b')
  statements.forget()
  const second = statements.prepare('select * from t')
  expect(second).not.toBe(first)
  database.exec('insert into t values (1, 2)')
  expect(second.all([])).toEqual([{ a: 1, b: 2 }])
  statements.close()
})

it('there is an end to how many are kept', () => {
  const database = new Database(':memory:')
  const statements = cacheStatements(database)
  const first = statements.prepare('select 0')
  for (let number = 1; number <= 300; number++) statements.prepare(`select ${number}`)
  expect(statements.prepare('select 300')).toBe(statements.prepare('select 300'))
  expect(statements.prepare('select 0')).not.toBe(first)
  statements.close()
})
