import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts'
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
  expect(await reader?.schemaAge()).toBe('known')
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

test('the books of a stopped service are read; the next start ignores the empty log that stays', async () => {
  const { ledger, dataDir } = await openTempLedger()
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  await ledger.ensureFact('name', 'value')
  await ledger.close()
  const before = readFileSync(join(dataDir, 'ledger.sqlite'))
  const reader = openSqliteReader({ dataDir })
  expect(await reader?.findFact('name')).toBe('value')
  await reader?.close()
  expect(readFileSync(join(dataDir, 'ledger.sqlite'))).toEqual(before)
  expect(statSync(join(dataDir, 'ledger.sqlite-wal')).size).toBe(0)
  const again = await openSqliteLedger({ dataDir })
  expect(await again.findFact('name')).toBe('value')
  await again.close()
})

test('the log of a killed service is read and left as it is', async () => {
  const { ledger, dataDir, close } = await openTempLedger()
  const copy = mkdtempSync(join(tmpdir(), 'reader-'))
  onTestFinished(async () => {
    rmSync(copy, { recursive: true })
    await close()
  })
  await ledger.ensureFact('name', 'value')
  const files = ['ledger.sqlite', 'ledger.sqlite-wal']
  for (const name of files) copyFileSync(join(dataDir, name), join(copy, name))
  const reader = openSqliteReader({ dataDir: copy })
  expect(await reader?.findFact('name')).toBe('value')
  await reader?.close()
  for (const name of files) expect(readFileSync(join(copy, name))).toEqual(readFileSync(join(dataDir, name)))
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
