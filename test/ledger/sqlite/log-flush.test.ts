import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type LogFlush, openLogFlush } from '../../../src/ledger/sqlite/log-flush.ts'

let folder: string
let log: LogFlush
/** The disk: how long a flush takes, whether it fails, and what was asked of it. */
let disk: { ms: number; fails: boolean; calls: string[] }
let restart: () => void

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'format-checker-flush-'))
  const path = join(folder, 'log')
  writeFileSync(path, '')
  disk = { ms: 0, fails: false, calls: [] }
  restart = () => {}
  let clock = 0
  const work = (name: string) => {
    disk.calls.push(name)
    clock += disk.ms
    return disk.fails ? new Error('told to fail') : null
  }
  log = openLogFlush(path, () => restart(), {
    sync: () => {
      const error = work('on the loop')
      if (error !== null) throw error
    },
    async: (_file, done) => done(work('beside')),
    monotonicMs: () => clock,
  })
})
afterEach(() => {
  log.close()
  rmSync(folder, { recursive: true })
})

const flushes = async (count: number) => {
  disk.calls = []
  for (let index = 0; index < count; index++) await log.flush()
  return disk.calls
}

test('the first flush runs beside the event loop, those of a fast disk on it', async () => {
  expect(await flushes(3)).toEqual(['beside', 'on the loop', 'on the loop'])
})

test('a disk is fast that takes no more than two milliseconds', async () => {
  disk.ms = 2
  expect(await flushes(3)).toEqual(['beside', 'on the loop', 'on the loop'])
})

test('a slow disk is flushed beside the event loop', async () => {
  disk.ms = 3
  expect(new Set(await flushes(500))).toEqual(new Set(['beside']))
})

test('after a single long flush the next hundred run beside the event loop', async () => {
  await flushes(2)
  disk.ms = 3
  await flushes(1)
  disk.ms = 0
  expect((await flushes(101)).indexOf('on the loop')).toBe(100)
})

test.each([
  'beside',
  'on the loop',
])('after a failure nothing counts as flushed without a new log: %s', async (where) => {
  if (where === 'on the loop') await log.flush()
  disk.fails = true
  await expect((async () => log.flush())()).rejects.toThrow('told to fail')
  disk.fails = false
  let restarts = 0
  restart = () => {
    restarts += 1
    if (restarts === 1) throw new Error('a reader holds the log')
  }
  await expect((async () => log.flush())()).rejects.toThrow('a reader holds the log')
  expect(log.flush()).toBeUndefined()
  expect(restarts).toBe(2)
  await log.flush()
  expect(restarts).toBe(2)
})

test('closing again leaves the file alone that has its number by then', () => {
  log.close()
  const other = openSync(join(folder, 'log'), 'r+')
  log.close()
  expect(() => writeSync(other, 'x')).not.toThrow()
  closeSync(other)
})
