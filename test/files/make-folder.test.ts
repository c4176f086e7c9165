import fs, { mkdirSync, readlinkSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterEach, test as anyTest, beforeEach, expect, vi } from 'vitest'
import { makeFolder } from '../../src/files/make-folder.ts'
import { LACKS } from '../support/platform.ts'
import { type ScratchDir, scratchDir } from '../support/service-process.ts'

const test = anyTest.skipIf(LACKS.proc)

let scratch: ScratchDir
/** The folders that were flushed, and whether the one that was asked for was there by then. */
const flushed: [folder: string, wasThere: boolean][] = []
const { fsyncSync } = fs
let path: string
let fault: string | null

beforeEach(() => {
  scratch = scratchDir()
  path = join(scratch.path, 'a', 'b')
  flushed.length = 0
  fault = null
  vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
    const there = statSync(path, { throwIfNoEntry: false }) !== undefined
    flushed.push([readlinkSync(`/proc/self/fd/${file}`), there])
    if (fault !== null) throw Object.assign(new Error(fault), { code: fault })
    fsyncSync(file)
  })
  syncBuiltinESMExports()
})
afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  scratch.remove()
})

test('the name of each new folder outlives a power loss: the one above it is flushed', () => {
  makeFolder(path)
  expect(flushed).toEqual([
    [scratch.path, false],
    [join(scratch.path, 'a'), true],
  ])
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

test('a folder that is there stays as it is', () => {
  mkdirSync(path, { recursive: true })
  makeFolder(path)
  expect(flushed).toEqual([])
})

test('a disk that fails to keep the name is no success', () => {
  fault = 'EIO'
  expect(() => makeFolder(path)).toThrow('EIO')
})
