import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refuseForeignLog } from '../../../src/ledger/sqlite/foreign-log.ts'
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'
import { storeFolder } from '../../support/fresh-store.ts'
import { newPayment } from '../../support/payment-rows.ts'

let folder: string
beforeEach(() => {
  folder = storeFolder('foreign-log')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A directory as a killed process leaves it, with a backup of one payment in place of its store of two. */
async function putBack(leftOut: readonly string[] = []) {
  const running = join(folder, 'running')
  const backup = join(folder, 'copy.sqlite')
  const dataDir = mkdtempSync(join(folder, 'killed-'))
  const [known, lost] = [newPayment(), newPayment()]
  const ledger = await openSqliteLedger({ dataDir: running })
  await ledger.claim(known)
  const database = new Database(join(running, 'ledger.sqlite'))
  database.exec(`vacuum into '${backup}'`)
  database.close()
  await ledger.claim(lost)
  for (const name of ['ledger.sqlite', 'ledger.sqlite-wal', 'ledger.sqlite-shm'])
    if (!leftOut.includes(name)) copyFileSync(join(running, name), join(dataDir, name))
  await ledger.close()
  copyFileSync(backup, join(dataDir, 'ledger.sqlite'))
  return { dataDir, known, lost }
}

test('a backup beside the log of the store before is not opened, and the line says what to remove', async () => {
  const { dataDir } = await putBack()
  const opened = openSqliteLedger({ dataDir })
  await expect(opened).rejects.toThrow(StoreUnavailable)
  await expect(opened).rejects.toThrow(/^DATA_DIR: .* remove ledger\.sqlite-wal and ledger\.sqlite-shm$/)
})

test('a backup without the log of the store before has what it had, and nothing newer', async () => {
  const { dataDir, known, lost } = await putBack(['ledger.sqlite-wal', 'ledger.sqlite-shm'])
  const ledger = await openSqliteLedger({ dataDir })
  expect(await ledger.find(known)).not.toBeNull()
  expect(await ledger.find(lost)).toBeNull()
  await ledger.close()
})

test('a log that is empty, or beside a store that is, belongs to no other store', () => {
  const file = join(folder, 'ledger.sqlite')
  const database = new Database(file)
  database.exec('create table t (a)')
  database.close()
  expect(() => refuseForeignLog(file)).not.toThrow()
  writeFileSync(`${file}-wal`, '')
  expect(() => refuseForeignLog(file)).not.toThrow()
  writeFileSync(`${file}-wal`, 'something')
  expect(() => refuseForeignLog(file)).toThrow(StoreUnavailable)
  writeFileSync(file, '')
  expect(() => refuseForeignLog(file)).not.toThrow()
})
