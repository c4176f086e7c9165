import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { PaymentRow } from '../../src/ledger/payments/payment-row.ts'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { openPostgresReader } from '../../src/ledger/postgres/postgres-reader.ts'
import { MIGRATIONS } from '../../src/ledger/store/migrations/migrations.ts'
import { StoreUnavailable } from '../../src/ledger/store/store-unavailable.ts'
import { holdTransaction, whenBlocked } from '../support/held-transaction.ts'
import { claimed } from '../support/ledger-rows.ts'
import { freePort } from '../support/ports.ts'
import { run } from '../support/postgres.ts'
import { databasePerTest } from '../support/test-databases.ts'
import { layUnreleasedTables, UNRELEASED } from '../support/unreleased-store.ts'

/** The advisory lock of a migration. */
const MIGRATION_LOCK = '3853314791062309107'
const MODULE = join(import.meta.dirname, '../../src/ledger/postgres/postgres-ledger.ts')

const database = databasePerTest()

const fault = async (address: string) => {
  const error = await openPostgresLedger({ url: address, poolWaitMs: 1_000 }).catch((reason) => reason)
  expect(error).toBeInstanceOf(StoreUnavailable)
  return error as StoreUnavailable
}

/** The test's database, with a search path. */
function inSchemas(path: string): string {
  const address = new URL(database.url)
  address.searchParams.set('options', `-c search_path=${path}`)
  return address.toString()
}

/** Makes the schema, and one row in it. */
async function claimedOnce(address: string): Promise<PaymentRow> {
  const ledger = await openPostgresLedger({ url: address })
  const row = await claimed(ledger)
  await ledger.close()
  return row
}

describe('the schema', () => {
  test('is made once by processes that start together', async () => {
    const boot = async () => {
      const child = spawn(
        process.execPath,
        [
          '--input-type=module',
          '-e',
          `import { openPostgresLedger } from ${JSON.stringify(MODULE)}
           const ledger = await openPostgresLedger({ url: process.argv[1] })
           if (!(await ledger.ready())) process.exitCode = 3
           await ledger.close()`,
          database.url,
        ],
        { stdio: ['ignore', 'ignore', 'inherit'] },
      )
      const [code] = await once(child, 'exit')
      return code
    }
    expect(await Promise.all([boot(), boot(), boot()])).toEqual([0, 0, 0])
    const applied = await run(database.url, 'select name from kysely_migration order by name')
    expect(applied).toEqual(Object.keys(MIGRATIONS).map((name) => ({ name })))
  })

  test('waits for a replica that is migrating', async () => {
    const migrating = await holdTransaction(database.url, `select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    const late = openPostgresLedger({ url: database.url })
    await whenBlocked(database.url)
    expect(await run(database.url, "select to_regclass('payments') as made")).toEqual([{ made: null }])
    await migrating.end('commit')
    const ledger = await late
    expect(await ledger.ready()).toBe(true)
    await ledger.close()
  })

  test('that lacks a migration makes the ledger unready', async () => {
    const ledger = await openPostgresLedger({ url: database.url })
    await run(database.url, 'create table kept as select * from kysely_migration')
    await run(database.url, 'delete from kysely_migration')
    expect(await ledger.ready()).toBe(false)
    await run(database.url, 'insert into kysely_migration select * from kept')
    expect(await ledger.ready()).toBe(true)
    await ledger.close()
  })

  test('from before the first release is refused in one line, and stays as it is', async () => {
    await layUnreleasedTables(database.url)
    const tables = () => run(database.url, 'select count(*)::int as columns from information_schema.columns')
    const [before, applied] = [await tables(), await run(database.url, 'select * from kysely_migration')]
    const { message } = await fault(database.url)
    expect(message).toMatch(/^DATABASE_URL \(postgres:[^\n]*\): /)
    expect(message.endsWith(UNRELEASED)).toBe(true)
    expect(await tables()).toEqual(before)
    expect(await run(database.url, 'select * from kysely_migration')).toEqual(applied)
    const reader = await openPostgresReader(database.url)
    expect(await reader.schemaAge()).toBe('unreleased')
    await reader.close()
  })

  test('of a later version is served by the replicas of this one', async () => {
    const first = await openPostgresLedger({ url: database.url })
    await run(database.url, `insert into kysely_migration values ('9999-later', '2030-01-01T00:00:00.000Z')`)
    await run(database.url, 'alter table payments add column later text')
    const restarted = await openPostgresLedger({ url: database.url })
    for (const ledger of [first, restarted]) {
      expect(await ledger.ready()).toBe(true)
      await claimed(ledger)
      await ledger.close()
    }
  })

  test('is made in the first schema of the search path, also beside that of another service', async () => {
    await run(database.url, 'create schema "Other-1"')
    for (const address of [database.url, inSchemas('"Other-1"')]) {
      await (await openPostgresLedger({ url: address })).close()
      const ledger = await openPostgresLedger({ url: address })
      expect(await ledger.ready()).toBe(true)
      await claimed(ledger)
      await ledger.close()
      expect(await run(address, 'select count(*)::int as rows from payments')).toEqual([{ rows: 1 }])
    }
  })

  test('is found behind an empty schema of the search path', async () => {
    const row = await claimedOnce(database.url)
    await run(database.url, 'create schema empty')
    const ledger = await openPostgresLedger({ url: inSchemas('empty,public') })
    expect(await ledger.find(row)).toEqual(row)
    await ledger.close()
  })

  test('is made in front of that of another program, which stays as it is', async () => {
    await run(
      database.url,
      'create table kysely_migration (name varchar primary key, timestamp varchar not null)',
    )
    await run(database.url, `insert into kysely_migration values ('1-other', '2030-01-01T00:00:00.000Z')`)
    const others = await run(database.url, 'select * from kysely_migration')
    await run(database.url, 'create schema sales')
    const row = await claimedOnce(inSchemas('sales,public'))
    const ledger = await openPostgresLedger({ url: inSchemas('sales,public') })
    expect([await ledger.ready(), await ledger.find(row)]).toEqual([true, row])
    await ledger.close()
    expect(await run(database.url, 'select * from kysely_migration')).toEqual(others)
  })

  test('once made, is all a role without the right to change it needs', async () => {
    await (await openPostgresLedger({ url: database.url })).close()
    const role = `app_${new URL(database.url).pathname.slice(6)}`
    await run(database.url, `create role ${role} login password 'app'`)
    await run(database.url, `grant select, insert, update, delete on all tables in schema public to ${role}`)
    const limited = new URL(database.url)
    limited.username = role
    limited.password = 'app'
    const ledger = await openPostgresLedger({ url: limited.toString() })
    await claimed(ledger)
    await ledger.close()
    await run(database.url, `drop owned by ${role}`)
    await run(database.url, `drop role ${role}`)
  })
})

describe('a boot without a store', () => {
  test('names DATABASE_URL, the place and the reason, and never the password', async () => {
    const unreachable = `postgres://app:hunter2@127.0.0.1:${await freePort()}/sales?password=hunter2`
    const error = await fault(unreachable)
    expect(error.message).toMatch(
      /^DATABASE_URL \(postgres:\/\/app@127\.0\.0\.1:\d+\/sales\): .*ECONNREFUSED/,
    )
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('hunter2')
  })

  test('says so for a wrong password, an unknown database and a name that does not resolve', async () => {
    const wrong = new URL(database.url)
    wrong.password = 'hunter2'
    const unknown = new URL(database.url)
    unknown.pathname = '/unknown'
    for (const [address, reason] of [
      [wrong, 'password authentication failed'],
      [unknown, 'does not exist'],
      [new URL('postgres://app:hunter2@no-such-host.invalid/sales'), 'no-such-host.invalid'],
    ] as const) {
      const error = await fault(address.toString())
      expect(error.message).toContain('DATABASE_URL')
      expect(error.message).toContain(reason)
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('hunter2')
    }
  })

  test('refuses what is not an address of PostgreSQL', async () => {
    for (const address of [
      '',
      'hunter2',
      'mysql://app:hunter2@host/db',
      'postgres://app:hunter2@host:port/db',
    ]) {
      const error = await fault(address)
      expect(error.message).toBe('DATABASE_URL is not a postgres:// address')
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('hunter2')
    }
  })
})
