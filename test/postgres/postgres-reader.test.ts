import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { openPostgresReader } from '../../src/ledger/postgres/postgres-reader.ts'
import { StoreUnavailable } from '../../src/ledger/store/store-unavailable.ts'
import { claimed } from '../support/ledger-rows.ts'
import { freePort } from '../support/ports.ts'
import { run } from '../support/postgres.ts'
import { runCli } from '../support/run-cli.ts'
import { databasePerTest } from '../support/test-databases.ts'

const database = databasePerTest()

const read = async () => {
  const reader = await openPostgresReader(database.url)
  try {
    return await reader.settled(0, Number.MAX_SAFE_INTEGER, 10)
  } finally {
    await reader.close()
  }
}
const applied = () => run(database.url, 'select name from kysely_migration order by name')

test('the books of another version are read, and its schema stays as it is', async () => {
  const ledger = await openPostgresLedger({ url: database.url })
  const row = await claimed(ledger)
  await ledger.move(row, { state: 'settling' })
  await run(database.url, "update payments set state = 'settled', settled_at = 1")
  await ledger.close()
  await run(database.url, `insert into kysely_migration values ('9999-later', '')`)
  const before = await applied()
  expect(await read()).toMatchObject([{ nonce: row.nonce, state: 'settled' }])
  expect(await applied()).toEqual(before)
})

test('a database without a store is not made one', async () => {
  await expect(read()).rejects.toThrow(StoreUnavailable)
  await expect(read()).rejects.toThrow(/^DATABASE_URL \(postgres:.*\): the store could not be read$/)
  expect(await run(database.url, "select 1 from pg_tables where schemaname = 'public'")).toEqual([])
})

test('the export says in the words of the server why it cannot read', async () => {
  const key = () => randomBytes(32).toString('hex')
  const settings = {
    ...{ PAY_TO: `0x${'12'.repeat(20)}`, BASE_URL: 'https://checks.example' },
    ...{ FACILITATOR_URL: 'https://facilitator.example', RPC_URL: 'https://node.example' },
    ...{ SECRET_KEY: key(), CARD_KEY: key(), RECEIPT_KEY: key() },
  }
  const wrong = new URL(database.url)
  wrong.password = 'hunter2'
  const { code, stderr } = await runCli(['stats'], { ...settings, DATABASE_URL: wrong.toString() })
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^DATABASE_URL \(.*\): .*: password authentication failed for user .*\(28P01\)$/),
  ])
  expect(stderr).not.toContain('hunter2')
})

test('the doctor says nothing of an empty database, and names a store of another key, network and version', async () => {
  const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
  const closed = `http://127.0.0.1:${await freePort()}`
  const settings = {
    ...{ PAY_TO: `0x${'12'.repeat(20)}`, BASE_URL: closed, FACILITATOR_URL: closed, RPC_URL: closed },
    SECRET_KEY: randomBytes(32).toString('hex'),
    CARD_KEY: pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
    RECEIPT_KEY: pem(generateKeyPairSync('ed25519').privateKey),
    DATABASE_URL: database.url,
  }
  const store = async () => {
    const { stdout } = await runCli(['doctor', '--json'], settings)
    const { findings } = JSON.parse(stdout) as { findings: { check: string; found: string }[] }
    return findings.filter(({ check }) => check === 'store').map(({ found }) => found)
  }
  const [server] = await run(database.url, 'show fsync')
  const written =
    server?.fsync === 'on'
      ? 'DATABASE_URL can be written'
      : 'a crash or failover can lose sales: fsync is off'
  expect(await store()).toEqual([written])
  const ledger = await openPostgresLedger({ url: database.url })
  await ledger.ensureFact('secret-check', 'of another key')
  await ledger.ensureFact('network', 'eip155:84532')
  await ledger.close()
  await run(database.url, `insert into kysely_migration values ('9999-later', '')`)
  expect(await store()).toEqual([
    'SECRET_KEY or secret.key is not the one the store was written under',
    'the store holds payments of another network than NETWORK',
    'a newer version has changed the schema of the store',
    written,
  ])
})
