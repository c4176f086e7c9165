import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Codes of systems that cannot open a folder (Windows, missing permission) or flush one (some network file systems). */
const NOT_SUPPORTED = ['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

/** Puts the names in a folder on disk, where the system can. Throws if the disk fails. */
export function flushFolder(path: string): void {
  try {
    const folder = openSync(path, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch (error) {
    if (!NOT_SUPPORTED.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
