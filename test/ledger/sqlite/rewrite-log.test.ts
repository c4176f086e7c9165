import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FileCalls, rewriteLog } from '../../../src/ledger/sqlite/rewrite-log.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'

let folder: string
let log: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'format-checker-log-'))
  log = join(folder, 'log')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A file that gives and takes at most so many bytes at a time; notes what of it was written, and when it was flushed. */
function calls(bytes: Buffer, most: number) {
  const written = Buffer.alloc(bytes.length)
  const steps: string[] = []
  const system: FileCalls = {
    read: (_file, piece, at) => bytes.copy(piece, 0, at, Math.min(bytes.length, at + most)),
    write: (_file, piece, at) => {
      steps.push('write')
      return piece.copy(written, at, 0, most)
    },
    flush: () => void steps.push(written.equals(bytes) ? 'flush of all' : 'flush'),
  }
  return { system, steps }
}

test.each([1, 7, 4_096, 10_000_000])('every byte is written before the one flush, %i at a time', (most) => {
  const bytes = Buffer.from(Array.from({ length: most < 4_096 ? 5_000 : 3_000_001 }, (_, at) => at % 251))
  writeFileSync(log, '')
  const { system, steps } = calls(bytes, most)
  rewriteLog(log, system)
  expect(steps.at(-1)).toBe('flush of all')
  expect(steps.filter((step) => step !== 'write')).toHaveLength(1)
})

test('the file is as it was', () => {
  const bytes = Buffer.from(Array.from({ length: 2_500_000 }, (_, at) => at % 253))
  writeFileSync(log, bytes)
  rewriteLog(log)
  expect(readFileSync(log).equals(bytes)).toBe(true)
})

test('a log that is missing or empty is left alone', () => {
  rewriteLog(log)
  writeFileSync(log, '')
  const { system, steps } = calls(Buffer.alloc(0), 1)
  rewriteLog(log, system)
  expect(steps).toEqual([])
})

test.each(['read', 'write', 'flush'] as const)('a disk that fails is unavailable: %s', (name) => {
  writeFileSync(log, '')
  const fails = () => {
    throw Object.assign(new Error('told to fail'), { code: 'EIO' })
  }
  expect(() => rewriteLog(log, { ...calls(Buffer.alloc(9), 9).system, [name]: fails })).toThrow(
    StoreUnavailable,
  )
})
