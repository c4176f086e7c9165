import { chmodSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** For the owner alone. */
const MODE = 0o600

/**
 * The text of a key that is kept in a directory, made on the first boot. Its file is for its owner alone, and is made so
 * again where somebody has opened it up.
 *
 * It is written whole or not at all; where another process was faster, its key stands.
 */
export function keyFile(directory: string, name: string, make: () => string): string {
  const path = join(directory, name)
  const standing = readText(path)
  if (standing !== undefined) {
    if ((statSync(path).mode & 0o777) !== MODE) chmodSync(path, MODE)
    return standing
  }
  const text = make()
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, text, { mode: MODE, flush: true })
  try {
    linkSync(draft, path)
    return text
  } catch (error) {
    const faster = readText(path)
    if (faster === undefined) throw error
    return faster
  } finally {
    rmSync(draft, { force: true })
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
