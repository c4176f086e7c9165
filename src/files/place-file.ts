import { linkSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { flushFolder } from './flush-folder.ts'

/**
 * Gives a flushed file its final name, which outlives a power loss. Throws EEXIST for a taken name, unless the file
 * `replaces` what has it.
 */
export function placeFile(draft: string, path: string, how: { readonly replaces: boolean }): void {
  if (how.replaces || !linked(draft, path)) renameSync(draft, path)
  flushFolder(dirname(path))
}

/** False on a file system without links, such as exFAT. */
function linked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    return false
  }
  rmSync(draft)
  return true
}
