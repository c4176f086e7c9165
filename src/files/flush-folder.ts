import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Windows opens no folder, and neither does a system for a user who may not list it; some network file systems flush none. */
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
