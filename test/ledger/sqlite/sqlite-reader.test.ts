import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSqliteReader } from '../../../src/ledger/sqlite/sqlite-reader.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'
import { claimed } from '../../support/ledger-rows.ts'
import { reach } from '../../support/reach-state.ts'
import { openTempLedger } from '../../support/temp-ledger.ts'

test('the books are read beside the service, from one time to another', async () => {
  const { ledger, dataDir, close } = await openTempLedger()
  const reader = openSqliteReader({ dataDir })
  onTestFinished(async () => {
    await reader?.close()
    await close()
  })
  const count = { day: '2026-11-20', surface: 'rest', checkType: 'iban', outcome: 'sold', count: 2 }
  const next = { ...count, day: '2026-11-21' }
  await ledger.addCounts([count, next, { ...count, day: '2026-11-23' }])
  expect(await reader?.counts('2026-11-20', '2026-11-22')).toEqual([count, next])

  const settle = async (settledAt: number) => {
    const row = await claimed(ledger, {})
    await reach(ledger, row, { state: 'settled', settledAt })
  }
  for (const settledAt of [1_000, 2_000, 3_000]) await settle(settledAt)
  const settled = await reader?.settled(1_000, 2_001, 10)
  expect(settled?.map((row) => row.settledAt)).toEqual([1_000, 2_000])

  await ledger.ensureFact('name', 'value')
  expect(await reader?.findFact('name')).toBe('value')
  expect(await reader?.listChannels(10)).toEqual([])
  expect(await reader?.newerMigrations()).toEqual([])
})

test('the connection of a reader refuses to write', async () => {
  const { dataDir, close } = await openTempLedger()
  const reader = openSqliteReader({ dataDir })
  onTestFinished(async () => {
    await reader?.close()
    await close()
  })
  const prepared = vi.spyOn(Database.prototype, 'prepare')
  await reader?.listChannels(10)
  const [connection] = prepared.mock.contexts
  prepared.mockRestore()
  expect(() => (connection as Database.Database).exec('delete from payments')).toThrow('readonly')
})

test('what was migrated is noted where older versions look for it', async () => {
  const { dataDir, close } = await openTempLedger()
  onTestFinished(close)
  const database = new Database(join(dataDir, 'ledger.sqlite'), { readonly: true })
  const names = database.prepare('select name from kysely_migration order by name').pluck().all()
  database.close()
  expect(names.slice(0, 2)).toEqual(['0001-initial', '0002-channels'])
})

test('the books of a stopped service are read without a trace', async () => {
  const { ledger, dataDir } = await openTempLedger()
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  await ledger.ensureFact('name', 'value')
  await ledger.close()
  const before = readdirSync(dataDir)
  const reader = openSqliteReader({ dataDir })
  expect(await reader?.findFact('name')).toBe('value')
  await reader?.close()
  expect(readdirSync(dataDir)).toEqual(before)
})

test('what has no store has no books, and what is no store is unavailable', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'reader-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  expect(openSqliteReader({ dataDir })).toBeNull()
  writeFileSync(join(dataDir, 'ledger.sqlite'), '')
  const reader = openSqliteReader({ dataDir })
  await expect(reader?.counts('2026-11-20', '2026-11-20')).rejects.toThrow(StoreUnavailable)
  await reader?.close()
})
