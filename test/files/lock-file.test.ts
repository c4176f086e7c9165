import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DataDirInUse, holdLockFile } from '../../src/files/lock-file.ts'
import { scratchDir } from '../support/service-process.ts'

const OPEN_FILES = '/proc/self/fd'
/** How often this process has a file open. */
const timesOpen = (path: string) =>
  readdirSync(OPEN_FILES).filter((fd) => {
    const link = join(OPEN_FILES, fd)
    return existsSync(link) && readlinkSync(link) === path
  }).length

test.runIf(existsSync(OPEN_FILES))('a file that is held elsewhere is not kept open by those who ask', () => {
  const scratch = scratchDir()
  const path = join(scratch.path, 'lock')
  const held = holdLockFile(path)
  const ask = () => expect(() => holdLockFile(path)).toThrow(DataDirInUse)
  ask()
  // SQLite closes one of them with the lock that this process has on the file.
  const once = timesOpen(path)
  ask()
  ask()
  expect(timesOpen(path)).toBe(once)
  held.release()
  expect(timesOpen(path)).toBe(0)
  scratch.remove()
})
