import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test, vi } from 'vitest'
import { newPayment } from '../../support/payment-rows.ts'
import { openTempLedger, rowIn } from '../../support/temp-ledger.ts'

const ROWS = 5_000
const HOUR_MS = 3_600_000
/** SQLite works on the event loop: no sale is answered while a statement runs. */
const MOST_AT_ONCE = 2_000

test('a purge after a long pause deletes all bindings that are over, in statements of bounded size', async () => {
  const { ledger, dataDir, close } = await openTempLedger()
  const sold = await rowIn(ledger, newPayment({ validBefore: 1 }), { state: 'settled', settledAt: 2_000 })
  const direct = new Database(join(dataDir, 'ledger.sqlite'))
  const columns = (direct.pragma('table_info(payments)') as { name: string }[]).map(({ name }) => name)
  direct.exec(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS - 1})
     insert into payments (${columns.join(', ')})
     select ${columns.map((name) => (name === 'nonce' ? "printf('0x%064x', i)" : name)).join(', ')}
     from payments, n where nonce = '${sold.nonce}'`,
  )
  const run = vi.spyOn(Object.getPrototypeOf(direct.prepare('select 1')) as Database.Statement, 'run')
  try {
    const { bindings } = await ledger.purge(100 * HOUR_MS, {
      deliveredMs: HOUR_MS,
      undeliveredMs: 24 * HOUR_MS,
    })
    expect(bindings).toBe(ROWS)
    const changes = run.mock.results.map(({ value }) => (value as Database.RunResult).changes)
    expect(Math.max(...changes)).toBe(MOST_AT_ONCE)
    expect(direct.prepare('select count(*) as left from payments where salt is not null').get()).toEqual({
      left: 0,
    })
  } finally {
    run.mockRestore()
    direct.close()
    await close()
  }
})
