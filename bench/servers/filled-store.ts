/** Stores with a past: sales of former months, settled, delivered and audited, by many payers. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Client } from 'pg'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts'

const ASSET = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const PAY_TO = '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc'
/** The old sales were made in the half year from here on. */
const FIRST_AT = Date.UTC(2026, 0, 1)
const LONG_MS = 181 * 24 * 3_600_000
/** When the last of them was made. */
export const FILLED_UNTIL = FIRST_AT + LONG_MS
const stepOf = (rows: number) => Math.max(1, Math.floor(LONG_MS / Math.max(1, rows)))
/** Rows of one payer lie side by side. */
const PAYERS = 65_536
/** A prime, so that the place of a sale in time has nothing to do with its key. */
const SCATTER = 7_919

const COLUMNS =
  'network, asset, payer, nonce, amount, pay_to, valid_before, state, lease_until, attempts, tx, log_index, audit, ' +
  'surface, check_type, ruleset, shape, items, mismatches, awaits_answer, claimed_at, settling_at, settled_at, delivered_at, ' +
  'origin'
const CONSTANTS = { network: 'eip155:8453', ruleset: 'iban:swift-r102' }

/**
 * Migrates a new SQLite store and gives it that many rows. They are written in the order of their key, and their indexes
 * made afterwards, so that millions take minutes; times and transactions are as scattered among the keys as real ones.
 */
export async function fillSqlite(dataDir: string, rows: number): Promise<void> {
  await (await openSqliteLedger({ dataDir })).close()
  const database = new Database(join(dataDir, 'ledger.sqlite'))
  for (const setting of [
    'journal_mode = DELETE',
    'journal_mode = OFF',
    'synchronous = OFF',
    'cache_size = -262144',
    'temp_store = FILE',
  ])
    database.pragma(setting)
  const indexes = database
    .prepare(
      "select name, sql from sqlite_master where type = 'index' and tbl_name = 'payments' and sql is not null",
    )
    .all() as { readonly name: string; readonly sql: string }[]
  for (const { name } of indexes) database.exec(`drop index ${name}`)
  database
    .prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < :rows),
         sale(payer, nonce, at) as (
           select printf('0x%04x', i * ${PAYERS} / :rows) || substr(:zeros, 1, 36),
                  '0x' || printf('%016x', i) || lower(hex(randomblob(24))), :first + (i * ${SCATTER} % :rows) * :step from n)
       insert into payments (${COLUMNS})
       select :network, :asset, payer, nonce, '1000', :payTo, 1, 'settled', 0, 1,
              '0x' || lower(hex(randomblob(32))), 1, 'found', 'rest', 'iban', :ruleset, 'single', 1, 0, 0, at, at, at, at, 'sale'
       from sale where :rows > 0`,
    )
    .run({
      ...CONSTANTS,
      rows,
      asset: ASSET,
      payTo: PAY_TO,
      zeros: '0'.repeat(36),
      first: FIRST_AT,
      step: stepOf(rows),
    })
  for (const { sql } of indexes) database.exec(sql)
  database.close()
}

/** Migrates an empty PostgreSQL database and gives it that many rows, in the same way. */
export async function fillPostgres(url: string, rows: number): Promise<void> {
  await (await openPostgresLedger({ url })).close()
  const client = new Client(url)
  await client.connect()
  const { rows: indexes } = await client.query<{ readonly indexname: string; readonly indexdef: string }>(
    "select indexname, indexdef from pg_indexes where tablename = 'payments' and indexname <> 'payments_key'",
  )
  for (const { indexname } of indexes) await client.query(`drop index ${indexname}`)
  await client.query(
    `insert into payments (${COLUMNS})
     select '${CONSTANTS.network}', '${ASSET}', payer, nonce, '1000', '${PAY_TO}', 1, 'settled', 0, 1,
            tx, 1, 'found', 'rest', 'iban', '${CONSTANTS.ruleset}', 'single', 1, 0, 0, at, at, at, at, 'sale'
     from (select '0x' || lpad(to_hex(i * ${PAYERS} / $1), 4, '0') || repeat('0', 36) as payer,
                  '0x' || lpad(to_hex(i), 16, '0') || md5(i::text) || substr(md5((-i)::text), 1, 16) as nonce,
                  '0x' || md5(random()::text) || md5((-i)::text) as tx,
                  $2::bigint + (i * ${SCATTER} % $1) * $3::bigint as at
           from generate_series(0::bigint, $1::bigint - 1) as i) as sale`,
    [rows, FIRST_AT, stepOf(rows)],
  )
  for (const { indexdef } of indexes) await client.query(indexdef)
  await client.query('vacuum analyze payments')
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
