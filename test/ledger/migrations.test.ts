import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { PAYMENT_COLUMNS, PAYMENT_STATES } from '../../src/ledger/payments/payment-row.ts'
import { initial } from '../../src/ledger/store/migrations/initial.ts'
import { INITIAL, MIGRATIONS, namedByText } from '../../src/ledger/store/migrations/migrations.ts'
import { ROOT } from '../support/command.ts'
import released from './released-migrations.json' with { type: 'json' }

/** The name of each migration with the digest of its text. */
const present = Object.entries(MIGRATIONS).map(([name, migration]) => [name, namedByText(name, migration)])

test('the name of the initial schema changes with its text', () => {
  expect(INITIAL).toMatch(/^1\.2\.0-initial-[0-9a-f]{8}$/)
  const changed = namedByText('1.2.0-initial', (bytes) => [
    ...initial(bytes),
    'create index later on facts (value)',
  ])
  expect(changed).not.toBe(INITIAL)
})

test('released migrations keep their names, texts and order', () => {
  const names = Object.entries(released)
  expect(present.slice(0, names.length)).toEqual(names)
})

test('a release lists its migrations in released-migrations.json', () => {
  const [newest = ''] = /^## \[\d.*$/m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? []
  const isReleased = /\] - \d{4}-\d{2}-\d{2}$/.test(newest)
  expect(isReleased ? Object.entries(released) : present).toEqual(present)
})

function openSchema() {
  const database = new DatabaseSync(':memory:')
  for (const migration of Object.values(MIGRATIONS))
    for (const statement of migration('blob')) database.exec(statement)
  return database
}

/** Writes a row with 0 in every column that must have a value, and these. */
function insert(database: DatabaseSync, table: string, values: Readonly<Record<string, string>>): void {
  const needed = database.prepare(`select name from pragma_table_info('${table}') where "notnull" = 1`).all()
  const row = { ...Object.fromEntries(needed.map(({ name }) => [String(name), '0'])), ...values }
  const names = Object.keys(row)
  const statement = `insert into ${table} (${names.join(', ')}) values (${names.map((name) => `:${name}`).join(', ')})`
  database.prepare(statement).run(row)
}

test('the row of a payment has the columns of its table', () => {
  const columns = openSchema().prepare("select name from pragma_table_info('payments')").all()
  expect([...PAYMENT_COLUMNS].sort()).toEqual(columns.map(({ name }) => name).sort())
})

const PAYMENT = { state: 'settled', origin: 'sale' }

test.each([
  ['payments', 'state', PAYMENT, PAYMENT_STATES],
  ['payments', 'origin', PAYMENT, ['sale', 'restored', 'adopted']],
  ['payments', 'doubt', PAYMENT, ['denied', 'not_needed']],
  ['payments', 'audit', PAYMENT, ['found', 'missing']],
  ['channel_deposits', 'state', {}, ['sending', 'landed']],
])('the table of %s takes the values of its column %s, and no other', (table, column, row, values) => {
  const database = openSchema()
  for (const value of values) insert(database, table, { ...row, nonce: value, [column]: value })
  for (const value of ['sold', 'Settled', ''])
    expect(() => insert(database, table, { ...row, nonce: 'other', [column]: value })).toThrow(
      `${table}_${column}`,
    )
})
