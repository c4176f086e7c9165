import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type LogFlush, openLogFlush } from '../../../src/ledger/sqlite/log-flush.ts'

let folder: string
let log: LogFlush
/** The disk: how long a flush takes, whether it fails, and what was asked of it. */
let disk: { ms: number; fails: boolean; calls: string[] }
let frames: () => number

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'format-checker-flush-'))
  const path = join(folder, 'log')
  writeFileSync(path, '')
  disk = { ms: 0, fails: false, calls: [] }
  frames = () => 0
  let clock = 0
  const work = (name: string) => {
    disk.calls.push(name)
    clock += disk.ms
    return disk.fails ? new Error('told to fail') : null
  }
  log = openLogFlush(path, () => frames(), {
    write: () => void disk.calls.push('written again'),
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
])('after a failure nothing counts as flushed before the log is written again: %s', async (where) => {
  if (where === 'on the loop') await log.flush()
  disk.fails = true
  await expect((async () => log.flush())()).rejects.toThrow('told to fail')
  frames = () => {
    throw new Error('a reader holds the log')
  }
  await expect((async () => log.flush())()).rejects.toThrow('a reader holds the log')
  frames = () => 0
  disk.calls = []
  await expect((async () => log.flush())()).rejects.toThrow('told to fail')
  disk.fails = false
  expect(log.flush()).toBeUndefined()
  expect(disk.calls).toEqual(['written again', 'on the loop', 'written again', 'on the loop'])
  expect(await flushes(1)).not.toContain('written again')
})

test('a log is mended before a transaction, once', async () => {
  disk.fails = true
  await expect((async () => log.flush())()).rejects.toThrow('told to fail')
  expect(() => log.mend()).toThrow('told to fail')
  disk.fails = false
  disk.calls = []
  log.mend()
  log.mend()
  expect(disk.calls).toEqual(['written again', 'on the loop'])
})

test('a checkpoint follows a flush, and neither is made while another flush is running or after one that failed', async () => {
  let done: (error: Error | null) => void = () => {}
  log.close()
  log = openLogFlush(join(folder, 'log'), () => 0, {
    sync: () => {
      if (disk.fails) throw new Error('told to fail')
      disk.calls.push('on the loop')
    },
    async: (_file, then) => {
      done = then
    },
  })
  const checkpoint = () => log.checkpoint(() => void disk.calls.push('checkpoint'))
  const flush = log.flush()
  checkpoint()
  expect(disk.calls).toEqual([])
  done(null)
  await flush
  disk.fails = true
  expect(checkpoint).toThrow('told to fail')
  disk.fails = false
  checkpoint()
  expect(disk.calls).toEqual(['on the loop', 'checkpoint'])
})

test('closing again leaves the file alone that has its number by then', () => {
  log.close()
  const other = openSync(join(folder, 'log'), 'r+')
  log.close()
  expect(() => writeSync(other, 'x')).not.toThrow()
  closeSync(other)
})
