import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import { claimed, newTask } from '../../support/ledger-rows.ts'
import { newPayment } from '../../support/payment-rows.ts'
import { planOf } from '../../support/query-plan.ts'
import { openTempLedger, rowIn, type TempLedger } from '../../support/temp-ledger.ts'

/** Every sale of years is in one table, and SQLite reads on the event loop: what recurs may read only what is left to do. */
const PAGE = 10
const HOUR_MS = 3_600_000

const prepare = vi.spyOn(Database.prototype, 'prepare')
let temp: TempLedger
let doubtful: PaymentRow
let settled: PaymentRow
beforeAll(async () => {
  temp = await openTempLedger()
  doubtful = await rowIn(temp.ledger, newPayment(), { state: 'in_doubt' })
  settled = await rowIn(temp.ledger, newPayment(), { state: 'settled', settledAt: 2_000 })
})
afterAll(async () => {
  prepare.mockRestore()
  await temp.close()
})

/** How SQLite looks up rows of a table in the statements a call makes for the first time. */
async function lookups(run: () => Promise<unknown>, table = 'payments'): Promise<readonly string[]> {
  prepare.mockClear()
  await run()
  const statements = prepare.mock.calls.map(([text]) => text)
  const database = prepare.mock.contexts[0] as unknown as Database.Database
  return statements
    .flatMap((text) => planOf(database, text))
    .filter((detail) => new RegExp(`^(SCAN|SEARCH) ${table}\\b`).test(detail))
}

test('what is unresolved is read from the index of unresolved rows, each page from where the last one ended', async () => {
  const now = Date.now()
  expect(await lookups(() => temp.ledger.unresolved(now, PAGE))).toEqual([
    'SCAN payments USING INDEX payments_unresolved',
  ])
  expect(await lookups(() => temp.ledger.unresolved(now, PAGE, doubtful))).toEqual([
    'SEARCH payments USING INDEX payments_unresolved (claimed_at>?)',
  ])
})

test('what the audit has not seen is read from the index of such rows, each page from where the last one ended', async () => {
  const now = Date.now()
  expect(await lookups(() => temp.ledger.unaudited(now, PAGE))).toEqual([
    'SCAN payments USING INDEX payments_unaudited',
  ])
  expect(await lookups(() => temp.ledger.unaudited(now, PAGE, settled))).toEqual([
    'SEARCH payments USING INDEX payments_unaudited (settled_at>?)',
  ])
})

test('a page of the books begins where the last one ended', async () => {
  prepare.mockClear()
  await temp.ledger.settled(0, 9_000, PAGE, settled)
  // SQLite would read from the lower of two bounds.
  expect(prepare.mock.calls.map(([text]) => text).join()).not.toContain('settled_at >= ')
})

test('what was not delivered is read from the index of rows that await their answer', async () => {
  const options = { now: 5_000, undeliveredSince: 1_000, undeliveredBefore: 4_000, limit: PAGE }
  expect((await lookups(() => temp.ledger.attention(options))).at(-1)).toMatch(/ payments_unanswered\b/)
})

test('the few rows that await an answer are read by one statement, without an order', async () => {
  prepare.mockClear()
  await temp.ledger.unanswered(settled.payer, 'email', 0, 0)
  // SQLite would compile a statement with this order at each use, at ten times the cost of running it.
  expect(prepare.mock.calls.map(([text]) => text.includes('order by'))).toEqual([false])
})

test('who holds a payment identifier is read from the index of identifiers', async () => {
  expect(await lookups(() => temp.ledger.findByIdentifier(Buffer.alloc(32, 1)))).toEqual([
    'SEARCH payments USING INDEX payments_identifier (identifier=?)',
  ])
})

test('what can be claimed of channels is read from the index of those of which something is not claimed', async () => {
  expect(await lookups(() => temp.ledger.claimableChannels(PAGE), 'channels')).toEqual([
    'SCAN channels USING INDEX channels_claimable',
  ])
})

test.each<[string, string, (ledger: Ledger) => Promise<unknown>, string]>([
  [
    'rows that the audit misses',
    'payments',
    ({ attention }) => attention({ now: 1, undeliveredSince: 1, undeliveredBefore: 1, limit: PAGE }),
    'SCAN payments USING INDEX payments_missing',
  ],
  [
    'sales of some time',
    'payments',
    ({ settled }) => settled(0, 9_000, PAGE),
    'SEARCH payments USING INDEX payments_settled (settled_at>? AND settled_at<?)',
  ],
  [
    'rows of a payer that were delivered',
    'payments',
    ({ unanswered }) => unanswered('0x', 'iban', 1, 1),
    'SEARCH payments USING INDEX payments_delivered (payer=? AND delivered_at>?)',
  ],
  [
    'unpaid tasks',
    'tasks',
    ({ saveTask }) => saveTask(newTask(), PAGE),
    'SEARCH tasks USING INDEX tasks_unpaid (expires_at>?)',
  ],
  [
    'tasks of a payment',
    'tasks',
    async (ledger) => ledger.reclaim(await claimed(ledger), { owner: 'boot-2' }),
    'SEARCH tasks USING INDEX tasks_payment (nonce=?)',
  ],
  [
    'deposits that may have been sent',
    'channel_deposits',
    ({ unresolvedDeposits }) => unresolvedDeposits(1, PAGE),
    'SCAN channel_deposits USING INDEX channel_deposits_sending',
  ],
])('%s are read from an index of their own', async (_, table, run, lookup) => {
  const other = await openTempLedger()
  expect(await lookups(() => run(other.ledger), table)).toContain(lookup)
  await other.close()
})

test('the purge never reads all payments or channels, and of sold ones those whose time is over', async () => {
  const windows = { deliveredMs: HOUR_MS, undeliveredMs: 24 * HOUR_MS }
  const other = await openTempLedger()
  const channels = await lookups(() => other.ledger.purge(Date.now(), windows), 'channels')
  expect(channels[0]).toBe('SEARCH channels USING INDEX channels_bound (charged_at<?)')
  await other.close()
  const found = await lookups(() => temp.ledger.purge(Date.now(), windows))
  expect(found.length).toBeGreaterThan(3)
  expect(found.filter((lookup) => !lookup.includes('INDEX'))).toEqual([])
  expect(found).toContain('SEARCH payments USING INDEX payments_bound (settled_at=?)')
  // What was never delivered stands in this one for good.
  expect(found.filter((lookup) => lookup.includes('payments_unanswered'))).toEqual([])
})
