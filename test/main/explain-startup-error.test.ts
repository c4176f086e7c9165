import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StoreUnavailable } from '../../src/ledger/store/store-unavailable.ts'
import { explainStartupError } from '../../src/main/explain-startup-error.ts'
import { type ScratchDir, scratchDir } from '../support/service-process.ts'

let scratch: ScratchDir
beforeEach(() => {
  scratch = scratchDir()
})
afterEach(() => scratch.remove())

/** What a start says if the store's native part is this file. */
const explained = (nativeBinding: string): string => {
  try {
    new Database(':memory:', { nativeBinding })
  } catch (error) {
    return explainStartupError(error)
  }
  throw new Error('the native part was loaded')
}
const here = `${process.platform}-${process.arch}`

test('a native part of the store that is missing is one line', () => {
  expect(explained(join(scratch.path, 'better_sqlite3.node'))).toBe(
    `better-sqlite3: no native part of it loads on ${here} (MODULE_NOT_FOUND); use x64 or arm64, and run npm ci on this machine`,
  )
})

test('a native part of the store of another machine is one line', () => {
  const binding = join(scratch.path, 'better_sqlite3.node')
  writeFileSync(binding, 'another machine')
  expect(explained(binding)).toBe(
    `better-sqlite3: no native part of it loads on ${here} (ERR_DLOPEN_FAILED); use x64 or arm64, and run npm ci on this machine`,
  )
})

test('a module of our own that is missing is a defect, with its place', () => {
  const error = Object.assign(new Error("Cannot find module './ledger.ts'"), { code: 'MODULE_NOT_FOUND' })
  expect(explainStartupError(error)).toBe(error.stack)
})

test('a store that refuses what a start writes is one line with its reason', () => {
  const cause = new Error('permission denied for table facts')
  expect(explainStartupError(new StoreUnavailable('the PostgreSQL store did not answer', { cause }))).toBe(
    'the PostgreSQL store did not answer: permission denied for table facts',
  )
})

test('a reason that the line has already is not repeated', () => {
  const cause = new Error('connect ECONNREFUSED')
  const line = 'DATABASE_URL (postgres://app@db/sales): connect ECONNREFUSED'
  expect(explainStartupError(new StoreUnavailable(line, { cause }))).toBe(line)
})
