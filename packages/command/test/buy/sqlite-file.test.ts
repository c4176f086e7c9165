import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
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
