import { accessSync, constants, existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'
import { makeFolder } from '../files/make-folder.ts'

/** Throws {@link ConfigError}. */
export function prepareDataDir(path: string): void {
  try {
    makeFolder(path)
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError([`DATA_DIR: must be a directory that can be created and written (${code})`])
  }
}

/** For a sandbox without DATA_DIR. Throws {@link ConfigError}. */
export function makeTemporaryDir(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'format-checker-'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError([
      `TMPDIR: must be a directory that can be written (${code}), or set DATA_DIR to one that the sandbox keeps`,
    ])
  }
}

/** Throws {@link ConfigError} if live mode keeps its payments in the directory; the sandbox keeps each ledger in a folder. */
export function refuseLiveDataDir(dataDir: string): void {
  if (!existsSync(join(dataDir, 'ledger.sqlite'))) return
  throw new ConfigError([
    'DATA_DIR: holds the ledger of a live service; the sandbox must have a directory of its own',
  ])
}
