import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { flushFolder } from './flush-folder.ts'

/**
 * Mode 0700; the names outlive a power loss. Node's option `recursive` never returns below /proc, where Linux answers
 * ENOENT although the folder above exists.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  const above = dirname(path)
  makeFolder(above)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  flushFolder(above)
}
