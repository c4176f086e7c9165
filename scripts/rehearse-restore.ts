// Puts a backup of the SQLite store back into an empty directory, catches up with the chain, and removes the directory:
// `npm run rehearse-restore -- copy.sqlite 2026-11-20T04:00:00Z`, with the settings of the live service. Exit code 1 if the
// backup could not be used. Neither the backup nor the running service is touched.
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'

const CLI = fileURLToPath(new URL('../bin/format-checker.js', import.meta.url))
/** Settings of another store, and keys: a rehearsal needs none. */
const LEFT_OUT = ['DATABASE_URL', 'DATABASE_URL_FILE', 'SECRET_KEY', 'SECRET_KEY_FILE']

const [backup, since] = process.argv.slice(2)
if (backup === undefined || since === undefined || !existsSync(backup)) {
  console.error(
    'usage: npm run rehearse-restore -- BACKUP.sqlite TIME_OF_THE_BACKUP (such as 2026-11-20T04:00:00Z)',
  )
  process.exit(2)
}
process.exitCode = rehearse(backup, since)

function rehearse(file: string, time: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'format-checker-rehearsal-'))
  try {
    const copy = join(folder, 'ledger.sqlite')
    copyFileSync(file, copy)
    chmodSync(copy, 0o600)
    const before = payments(copy)
    if (before === null) {
      console.error('the backup is no sound SQLite store of this service')
      return 1
    }
    const kept = Object.entries(process.env).filter(([name]) => !LEFT_OUT.includes(name))
    const run = spawnSync(process.execPath, [CLI, 'reconcile', '--restored', time], {
      env: { ...Object.fromEntries(kept), DATA_DIR: folder },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const after = payments(copy)
    console.log(
      `the backup\n  payments ${before}  in the backup\n  payments ${after}  after catching up with the chain`,
    )
    return run.status === 0 && after !== null && after >= before ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How many payments a store holds; null if it is damaged or not one of ours. */
function payments(file: string): number | null {
  try {
    const database = new Database(file, { fileMustExist: true })
    try {
      if (database.pragma('integrity_check', { simple: true }) !== 'ok') return null
      return database.prepare('SELECT count(*) FROM payments').pluck().get() as number
    } finally {
      database.close()
    }
  } catch {
    return null
  }
}
