import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, vi } from 'vitest'
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
      return texts.flatMap((text) => plan(beside, text))
    },
    close: async () => {
      beside.close()
      await close()
    },
  }
})

const plan = (database: Database.Database, text: string): readonly string[] => {
  const parameters = Array.from({ length: text.split('?').length - 1 }, () => 1)
  const steps = database.prepare(`explain query plan ${text}`).all(...parameters) as { detail: string }[]
  return steps.flatMap(({ detail }) => / INDEX (\w+)/.exec(detail)?.[1] ?? [])
}
