import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { placeFile } from './place-file.ts'

const MODE = 0o600

/**
 * The first start generates the key, atomically; if another process was first, its key is used. Restores a widened
 * mode.
 */
export function keyFile(directory: string, name: string, make: () => string): string {
  const path = join(directory, name)
  const existing = readText(path)
  if (existing !== undefined) {
    if ((statSync(path).mode & 0o777) !== MODE) chmodSync(path, MODE)
    return existing
  }
  const text = make()
  const draft = `${path}.${process.pid}`
  try {
    writeFileSync(draft, text, { mode: MODE, flush: true })
    placeFile(draft, path, { replaces: false })
    return text
  } catch (error) {
    const faster = (error as NodeJS.ErrnoException).code === 'EEXIST' ? readText(path) : undefined
    if (faster === undefined) throw error
    return faster
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Undefined if there is no such file. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
