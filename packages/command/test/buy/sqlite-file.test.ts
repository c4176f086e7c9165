import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openFile } from '../../src/buy/sqlite-file.ts'

const before = process.cwd()
let scratch: string
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'sqlite-file-'))
  process.chdir(scratch)
})
afterEach(() => {
  process.chdir(before)
  rmSync(scratch, { recursive: true })
})

test('a name that SQLite would read as a URI is the name of a file', () => {
  openFile('file:day?mode=memory', 0).exec('CREATE TABLE t (a)')
  expect(existsSync(join(scratch, 'file:day?mode=memory'))).toBe(true)
})

test.each([
  '',
  'day',
])('each write of a file is on disk before it returns, its deletion of the journal too: %j', (name) => {
  const database = openFile(name, 0)
  expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 3 })
  database.close()
})

test('a file whose writes SQLite would not sync is not opened', () => {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(() => {})
  expect(() => openFile('day', 0)).toThrow('does not sync each write')
  vi.restoreAllMocks()
  openFile('day', 0).close()
})
