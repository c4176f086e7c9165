import { beforeEach, expect, test } from 'vitest'
import { migrateInTurn } from '../../../src/ledger/postgres/migrate-postgres.ts'
import { MIGRATIONS } from '../../../src/ledger/store/migrations/migrations.ts'
import type { Sql, Values } from '../../../src/ledger/store/sql.ts'

/** Each statement with the lock timeout under which it is sent, in milliseconds; 0 for none. */
let sent: { readonly text: string; readonly lockTimeout: number }[]
let lockTimeout: number
/** Statements that are not answered yet, and the most of them at one time. */
let open: { now: number; most: number }
beforeEach(() => {
  sent = []
  open = { now: 0, most: 0 }
  lockTimeout = 10
})

const dbWith = (found: string | null, applied: readonly string[] = []): Sql => {
  const rows = async (text: string, { ms }: Values = {}) => {
    open.now += 1
    open.most = Math.max(open.most, open.now)
    await new Promise((resolve) => setImmediate(resolve))
    open.now -= 1
    if (ms !== undefined) lockTimeout = Number(ms)
    else sent.push({ text, lockTimeout })
    if (text.includes('current_schema')) return [{ found, present: '"mine"' }]
    return text.startsWith('select name') ? applied.map((name) => ({ name })) : []
  }
  return { rows, changed: async () => 0 } as unknown as Sql
}
const startingWith = (start: string) => sent.filter(({ text }) => text.startsWith(start))

test('a replica waits for one that migrates as long as that takes, and for a table in use only a while', async () => {
  await migrateInTurn(dbWith(null))
  const [first, ...later] = sent
  expect(first?.text).toContain('pg_advisory_xact_lock(3853314791062309107)')
  expect(first?.lockTimeout).toBe(0)
  expect(new Set(later.map((each) => each.lockTimeout > 0))).toEqual(new Set([true]))
})

test('a missing table of migrations is made in the schema of the session', async () => {
  await migrateInTurn(dbWith(null))
  const table = '"mine".kysely_migration'
  const [made] = startingWith('create table "mine"')
  expect(made?.text).toContain(`create table ${table} (name`)
  expect(startingWith(`insert into ${table}`).length).toBe(startingWith('insert into').length)
  expect(startingWith('insert into').length).toBe(1)
})

test('the table that is found is read where it is, and not made again', async () => {
  await migrateInTurn(dbWith('"theirs"', Object.keys(MIGRATIONS)))
  expect(startingWith('select name').map(({ text }) => text)).toEqual([
    'select name from "theirs".kysely_migration',
  ])
  expect(sent.filter(({ text }) => /create table \S+kysely_migration/.test(text))).toEqual([])
  expect(startingWith('create table payments')).toEqual([])
})

test('each statement is sent once the one before is answered, and the migration ends with the last one', async () => {
  await migrateInTurn(dbWith(null))
  expect(open).toEqual({ now: 0, most: 1 })
})
