import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, vi } from 'vitest'
import { planOf } from '../../support/query-plan.ts'
import { openTempLedger } from '../../support/temp-ledger.ts'
import { describeIndexes } from '../index-contract.ts'

const prepare = vi.spyOn(Database.prototype, 'prepare')
afterAll(() => prepare.mockRestore())

// A b-tree of an index has each of its entries in one cell (sqlite.org/dbstat.html).
const ENTRIES = `select index_list.name as name, coalesce(sum(dbstat.ncell), 0) as count
  from sqlite_schema as index_list left join dbstat on dbstat.name = index_list.name
  where index_list.type = 'index' and index_list.sql is not null group by index_list.name`

describeIndexes('SQLite', async () => {
  const { ledger, dataDir, close } = await openTempLedger()
  const beside = new Database(join(dataDir, 'ledger.sqlite'))
  return {
    ledger,
    entries: async () => {
      const rows = beside.prepare(ENTRIES).all() as { readonly name: string; readonly count: number }[]
      return new Map(rows.map(({ name, count }) => [name, count]))
    },
    // A store of its own, since each compiles a statement once.
    used: async (call) => {
      const other = await openTempLedger()
      prepare.mockClear()
      await call(other.ledger)
      const texts = prepare.mock.calls.map(([text]) => text)
      await other.close()
      return texts
        .flatMap((text) => planOf(beside, text))
        .flatMap((detail) => / INDEX (\w+)/.exec(detail)?.[1] ?? [])
    },
    close: async () => {
      beside.close()
      await close()
    },
  }
})
