/** Stores with a past: sales of former months, settled, delivered and audited, by many payers. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Client } from 'pg'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts'

const ASSET = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const PAY_TO = '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc'
/** When the first of the old sales was made, and the time between two. */
const FIRST_AT = Date.UTC(2026, 0, 1)
const STEP_MS = 10_000

const COLUMNS =
  'network, asset, payer, nonce, amount, pay_to, valid_before, state, lease_until, attempts, tx, log_index, audit, ' +
  'surface, check_type, ruleset, shape, items, mismatches, awaits_answer, claimed_at, settling_at, settled_at, delivered_at'
const CONSTANTS = { network: 'eip155:8453', ruleset: 'iban:swift-r102' }

/** Migrates a new SQLite store and gives it that many rows. */
export async function fillSqlite(dataDir: string, rows: number): Promise<void> {
  await (await openSqliteLedger({ dataDir })).close()
  const database = new Database(join(dataDir, 'ledger.sqlite'))
  database.pragma('synchronous = OFF')
  database.pragma('cache_size = -262144')
  database
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < :rows)
       insert into payments (${COLUMNS})
       select :network, :asset, '0x' || lower(hex(randomblob(2))) || substr(:zeros, 1, 36),
              '0x' || lower(hex(randomblob(32))), '1000', :payTo, 1, 'settled', 0, 1,
              '0x' || lower(hex(randomblob(32))), 1, 'found', 'rest', 'iban', :ruleset, 'single', 1, 0, 0,
              :first + i * :step, :first + i * :step, :first + i * :step, :first + i * :step
       from n where :rows > 0`,
    )
    .run({
      ...CONSTANTS,
      rows,
      asset: ASSET,
      payTo: PAY_TO,
      zeros: '0'.repeat(36),
      first: FIRST_AT,
      step: STEP_MS,
    })
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}

/** Migrates an empty PostgreSQL database and gives it that many rows. */
export async function fillPostgres(url: string, rows: number): Promise<void> {
  await (await openPostgresLedger({ url })).close()
  const client = new Client(url)
  await client.connect()
  await client.query(
    `insert into payments (${COLUMNS})
     select '${CONSTANTS.network}', '${ASSET}', '0x' || substr(md5(random()::text), 1, 4) || repeat('0', 36),
            '0x' || md5(random()::text) || md5(i::text), '1000', '${PAY_TO}', 1, 'settled', 0, 1,
            '0x' || md5(random()::text) || md5((-i)::text), 1, 'found', 'rest', 'iban', '${CONSTANTS.ruleset}', 'single', 1, 0, 0,
            $2::bigint + i * $3::bigint, $2::bigint + i * $3::bigint, $2::bigint + i * $3::bigint, $2::bigint + i * $3::bigint
     from generate_series(1, $1::int) as i`,
    [rows, FIRST_AT, STEP_MS],
  )
  await client.query('analyze payments')
  await client.end()
}

/** The keys that a service on PostgreSQL needs. */
export function postgresKeys(): Readonly<Record<'SECRET_KEY' | 'CARD_KEY' | 'RECEIPT_KEY', string>> {
  const pem = { type: 'pkcs8', format: 'pem' } as const
  return {
    SECRET_KEY: randomBytes(32).toString('hex'),
    CARD_KEY: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pem).toString(),
    RECEIPT_KEY: generateKeyPairSync('ed25519').privateKey.export(pem).toString(),
  }
}
