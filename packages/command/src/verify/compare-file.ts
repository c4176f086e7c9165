import { UsageError } from '../../../../src/command-line/usage-error.ts'
import type { NamedFile } from '../../../../src/lists/statement/format.ts'
import { hashFile } from '../list/hash-file.ts'
import { isFile } from '../list/open-list-file.ts'

/** Whether a file has the hash that a statement names. The file is not read otherwise: no receipt covers it. */
export type FileComparison = 'same_hash' | 'changed' | 'not_compared'

/** `path`: null if the caller names no file. */
export async function compareFile({ sha256 }: NamedFile, path: string | null): Promise<FileComparison> {
  if (path === null) return 'not_compared'
  if (!isFile(path)) throw new UsageError('LIST and --input must name a file')
  return (await hashFile(path)) === sha256 ? 'same_hash' : 'changed'
}
