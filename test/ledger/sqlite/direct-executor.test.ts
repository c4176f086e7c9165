import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { directKysely } from '../../../src/ledger/sqlite/direct-executor.ts'

test('a reader on the connection that writes sees nothing of a transaction before its end', async () => {
  const database = new Database(':memory:')
  database.exec('create table t (a)')
  let open: Promise<void> | null = null
  const reader = await directKysely<Record<never, never>>(database, () => open)
  const count = async () => (await sql<{ n: number }>`select count(*) as n from t`.execute(reader)).rows[0]?.n

  const ended = Promise.withResolvers<void>()
  open = ended.promise
  database.exec('begin; insert into t values (1)')
  const seen = count()
  await new Promise((resolve) => setImmediate(resolve))
  database.exec('rollback')
  open = null
  ended.resolve()
  expect(await seen).toBe(0)
  await reader.destroy()
})
