import fs, { fstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { placeFile } from '../../src/files/place-file.ts'
import { type ScratchDir, scratchDir } from '../support/service-process.ts'

/** What was done with the file and its folder, in order. */
const acts: string[] = []
/** Codes of the errors with which acts fail. */
const failing = new Map<string, string>()
function act(name: string): void {
  acts.push(name)
  const code = failing.get(name)
  if (code !== undefined) throw Object.assign(new Error(code), { code })
}
const { linkSync, renameSync, fsyncSync } = fs

let scratch: ScratchDir
let draft: string
let path: string
beforeEach(() => {
  scratch = scratchDir()
  draft = join(scratch.path, 'a.new')
  path = join(scratch.path, 'a')
  writeFileSync(draft, 'new')
  acts.length = 0
  failing.clear()
  vi.spyOn(fs, 'linkSync').mockImplementation((...args) => {
    act('link')
    linkSync(...args)
  })
  vi.spyOn(fs, 'renameSync').mockImplementation((...args) => {
    act('rename')
    renameSync(...args)
  })
  vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
    act(fstatSync(file).isDirectory() ? 'flush the folder' : 'flush a file')
    fsyncSync(file)
  })
  syncBuiltinESMExports()
})
afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  scratch.remove()
})

const files = () =>
  readdirSync(scratch.path).map((name) => [name, readFileSync(join(scratch.path, name), 'utf8')])

test('what has the name is replaced at once, and the folder is flushed afterwards', () => {
  writeFileSync(path, 'old')
  placeFile(draft, path, { replaces: true })
  expect(files()).toEqual([['a', 'new']])
  expect(acts).toEqual(['rename', 'flush the folder'])
})

test('a free name is taken, and the folder is flushed afterwards', () => {
  placeFile(draft, path, { replaces: false })
  expect(files()).toEqual([['a', 'new']])
  expect(acts).toEqual(['link', 'flush the folder'])
})

test.each([
  ['a file', () => writeFileSync(path, 'old')],
  ['a link that leads nowhere', () => symlinkSync('missing', path)],
])('the name of %s is not taken', (_what, make) => {
  make()
  expect(() => placeFile(draft, path, { replaces: false })).toThrow(
    expect.objectContaining({ code: 'EEXIST' }),
  )
  expect(acts).toEqual(['link'])
  expect(readdirSync(scratch.path)).toEqual(['a', 'a.new'])
})

test.each(['EPERM', 'ENOSYS', 'EISDIR'])('a file system without links (%s) renames', (code) => {
  failing.set('link', code)
  placeFile(draft, path, { replaces: false })
  expect(files()).toEqual([['a', 'new']])
  expect(acts).toEqual(['link', 'rename', 'flush the folder'])
})

test.each(['EINVAL', 'ENOTSUP'])('a folder that this system does not flush (%s) holds nothing up', (code) => {
  failing.set('flush the folder', code)
  placeFile(draft, path, { replaces: true })
  expect(files()).toEqual([['a', 'new']])
})

test.each(['EIO', 'ENOSPC', 'EDQUOT'])('a disk that fails to keep the name (%s) is no success', (code) => {
  failing.set('flush the folder', code)
  expect(() => placeFile(draft, path, { replaces: true })).toThrow(expect.objectContaining({ code }))
})
