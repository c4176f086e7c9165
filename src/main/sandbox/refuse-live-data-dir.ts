import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../../config.ts'

/** Throws {@link ConfigError} if live mode keeps its payments in the directory; the sandbox keeps each ledger in a folder. */
export function refuseLiveDataDir(dataDir: string): void {
  if (!existsSync(join(dataDir, 'ledger.sqlite'))) return
  throw new ConfigError([
    'DATA_DIR: holds the ledger of a live service; the sandbox must have a directory of its own',
  ])
}
