import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The bytes of the store's files in a data directory. */
export const storedBytes = (dataDir: string): Buffer =>
  Buffer.concat(
    readdirSync(dataDir)
      .filter((name) => name.startsWith('ledger'))
      .map((name) => readFileSync(join(dataDir, name))),
  )
