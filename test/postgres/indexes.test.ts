import { Client } from 'pg'
import { afterAll, vi } from 'vitest'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { describeIndexes } from '../ledger/index-contract.ts'
import { run } from '../support/postgres.ts'
import { testDatabases } from '../support/test-databases.ts'

const databases = testDatabases()
const query = vi.spyOn(Client.prototype, 'query')
afterAll(() => query.mockRestore())

/** Of each table; in a small table, PostgreSQL would read all rows without an index. */
const FINISHED = 5_000
const FILL = [
  `insert into payments (network, asset, payer, nonce, amount, pay_to, valid_before, state, lease_until, attempts, tx,
      log_index, audit, surface, check_type, ruleset, shape, items, mismatches, awaits_answer, claimed_at, settled_at, delivered_at, origin)
    select 'eip155:8453', '0xa', '0x' || i, '0x' || i, '1000', '0xb', 1, 'settled', 0, 1, '0x' || i,
      i, 'found', 'rest', 'iban', 'r1', 'single', 1, 0, 0, 1000000 + i, 1000000 + i, 1000000 + i, 'sale'`,
  `insert into tasks (key, sealed, created_at, expires_at, network, asset, payer, nonce)
    select '0x' || i, '', 1, 1000000 + i, 'eip155:8453', '0xa', '0x' || i, '0x' || i`,
  `insert into channels (id, payer, payer_authorizer, receiver, receiver_authorizer, token, withdraw_delay, config_salt,
      balance, total_claimed, refund_nonce, withdraw_requested_at, read_at, charged, signature, refunding, amount, surface,
      check_type, ruleset, shape, items, charged_at, calls, opened_at, revision)
    select '0x' || i, '0x' || i, '0x', '0x', '0x', '0x', 1, '0x', '5', '5', '0', 0, 1, '5', '0x', '0', '5', 'rest',
      'iban', 'r1', 'single', 1, 1, 1, 1, 1`,
  `insert into channel_deposits (payer, nonce, channel, amount, voucher, valid_before, state, lease_until, claimed_at)
    select '0x' || i, '0x' || i, '0x' || i, '5', '5', 1, 'landed', 0, 1`,
  `insert into treasury (day, payer) select '2026-11-20', '0x' || i`,
].map((insert) => `${insert} from generate_series(1, ${FINISHED}) as i`)

describeIndexes('PostgreSQL', async () => {
  const url = await databases.fresh()
  const ledger = await openPostgresLedger({ url, statementTimeoutMs: 100_000, poolWaitMs: 100_000 })
  for (const fill of FILL) await run(url, fill)
  await run(url, 'analyze')
  return {
    ledger,
    entries: async () => {
      await run(url, 'analyze')
      const rows = await run(
        url,
        `select relname as name, reltuples as count from pg_index join pg_class on pg_class.oid = indexrelid
          where relnamespace = current_schema()::regnamespace and not indisprimary`,
      )
      return new Map(rows.map(({ name, count }) => [String(name), Number(count)]))
    },
    used: async (call) => {
      query.mockClear()
      await call(ledger)
      return plannedIndexes(url, [...query.mock.calls])
    },
    close: ledger.close,
  }
})

async function plannedIndexes(
  url: string,
  statements: readonly (readonly unknown[])[],
): Promise<readonly string[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const found: string[] = []
  for (const [text, values] of statements) {
    if (!/^(?:select|insert|update|delete)/.test(String(text))) continue
    const { rows } = await client.query(`explain ${text}`, Array.isArray(values) ? values : [])
    found.push(
      ...rows.flatMap((row) => /Index (?:Only )?Scan (?:using|on) (\w+)/.exec(row['QUERY PLAN'])?.[1] ?? []),
    )
  }
  await client.end()
  return found
}
