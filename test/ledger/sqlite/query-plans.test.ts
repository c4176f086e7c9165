import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { PaymentRow } from '../../../src/ledger/payment-row.ts'
import { newPayment } from '../../support/payment-rows.ts'
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

/** How SQLite looks up payments in the statements a call makes for the first time. */
async function lookups(run: () => Promise<unknown>): Promise<readonly string[]> {
  prepare.mockClear()
  await run()
  const statements = prepare.mock.calls.map(([text]) => text)
  const database = prepare.mock.contexts[0] as unknown as Database.Database
  return statements.flatMap((text) => {
    const parameters = Array.from({ length: text.split('?').length - 1 }, () => 1)
    const steps = database.prepare(`explain query plan ${text}`).all(...parameters)
    return (steps as { detail: string }[])
      .map(({ detail }) => detail)
      .filter((detail) => /^(SCAN|SEARCH) payments\b/.test(detail))
  })
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

test('who holds a payment identifier is read from the index of identifiers', async () => {
  expect(await lookups(() => temp.ledger.findByIdentifier(Buffer.alloc(32, 1)))).toEqual([
    'SEARCH payments USING INDEX payments_identifier (identifier=?)',
  ])
})

test('the purge never reads all payments', async () => {
  const windows = { deliveredMs: HOUR_MS, undeliveredMs: 24 * HOUR_MS }
  const found = await lookups(() => temp.ledger.purge(Date.now(), windows))
  expect(found.length).toBeGreaterThan(3)
  expect(found.filter((lookup) => !lookup.includes('INDEX'))).toEqual([])
  // What was never delivered stands in this one for good.
  expect(found.filter((lookup) => lookup.includes('payments_unanswered'))).toEqual([])
})
