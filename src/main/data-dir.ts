import { accessSync, constants, mkdirSync } from 'node:fs'
import { ConfigError } from '../config.ts'

/** Makes the directory of store and keys where it is missing, for its owner alone; throws {@link ConfigError}. */
export function prepareDataDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError([`DATA_DIR: is no directory that can be made and written (${code})`])
  }
}
