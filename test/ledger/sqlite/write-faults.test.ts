import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createReadiness } from '../../../src/app/health/readiness.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts'
import { beforeStatement } from '../../support/driver-statements.ts'
import { mayMount } from '../../support/small-disk.ts'

const stops: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** What the driver throws at each write of a lock; null for nothing. */
function driverThatThrows(): { code: string | null } {
  const driver: { code: string | null } = { code: null }
  stops.push(
    beforeStatement('into locks', () => {
      if (driver.code !== null) throw new Database.SqliteError('told to fail', driver.code)
    }),
  )
  return driver
}

async function openLedger(): Promise<Ledger> {
  const dataDir = mkdtempSync(join(tmpdir(), 'format-checker-full-'))
  const ledger = await openSqliteLedger({ dataDir })
  stops.push(async () => {
    await ledger.close()
    rmSync(dataDir, { recursive: true })
  })
  return ledger
}

describe('a SQLite store that takes no writes', () => {
  test.each([
    ['SQLITE_FULL', 'store_full'],
    ['SQLITE_READONLY', 'store_read_only'],
    ['SQLITE_READONLY_DBMOVED', 'store_read_only'],
    ['SQLITE_IOERR_WRITE', 'store_unavailable'],
  ])('is not ready, and the status names it: %s', async (code, trouble) => {
    const driver = driverThatThrows()
    const readiness = createReadiness(await openLedger())
    driver.code = code
    await expect(readiness.ready()).rejects.toThrow('SQLite')
    expect(await readiness.troubles({ troubles: () => [] })).toEqual([trouble])
    driver.code = null
    expect(await readiness.ready()).toBe(true)
    expect(await readiness.troubles({ troubles: () => [] })).toEqual([])
  })

  test('is asked by a write at most every five seconds while it takes them', async () => {
    const ledger = await openLedger()
    const driver = driverThatThrows()
    const time = vi.spyOn(performance, 'now').mockReturnValue(1_000)
    stops.push(() => time.mockRestore())
    expect(await ledger.ready()).toBe(true)
    driver.code = 'SQLITE_FULL'
    time.mockReturnValue(5_999)
    expect(await ledger.ready()).toBe(true)
    time.mockReturnValue(6_000)
    await expect(ledger.ready()).rejects.toThrow('SQLite')
  })
})

describe.skipIf(!mayMount())('a disk', () => {
  const play = (script: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'format-checker-disk-'))
    stops.push(() => rmSync(folder, { recursive: true }))
    const source = join(import.meta.dirname, '../../../src')
    const program = `
      import { spawnSync } from 'node:child_process'
      import { rmSync, writeFileSync } from 'node:fs'
      import { openSqliteLedger } from '${source}/ledger/sqlite/sqlite-ledger.ts'
      const dataDir = '${folder}/data'
      const mount = (...args) => { if (spawnSync('mount', args).status !== 0) throw new Error('mount') }
      const said = []
      const ask = (ledger) => ledger.ready().then((ready) => said.push(ready), (error) => said.push(error.fault))
      // Past what a write that has reached the disk stands for.
      const later = () => { const now = performance.now(); performance.now = () => now + 6_000 }
      const fill = () => {
        for (let size = 1 << 16; size > 0; size >>= 1)
          try { for (let n = 0; ; n++) writeFileSync(dataDir + '/filler-' + size + '-' + n, Buffer.alloc(size)) } catch {}
      }
      ${script}
      console.log(JSON.stringify(said))
      process.exit(0)`
    const run = spawnSync(
      'unshare',
      [
        '-rm',
        'sh',
        '-c',
        `mkdir ${folder}/data && mount -t tmpfs -o size=700k tmpfs ${folder}/data && exec "$0" --input-type=module -e "$1"`,
        process.execPath,
        program,
      ],
      { encoding: 'utf8' },
    )
    expect(run.stderr.replace(/.*ExperimentalWarning.*\n?|.*node --trace-warnings.*\n?/g, '')).toBe('')
    return JSON.parse(run.stdout) as unknown
  }

  test('that is full is named, and the store is ready once there is room', () => {
    const said = play(`
      const ledger = await openSqliteLedger({ dataDir })
      await ledger.purge(Date.now(), { deliveredMs: 1, undeliveredMs: 1 })
      await ask(ledger)
      fill(); later()
      await ask(ledger)
      for (const size of [1 << 16, 1 << 15]) for (let n = 0; n < 9; n++) rmSync(dataDir + '/filler-' + size + '-' + n, { force: true })
      await ask(ledger)`)
    expect(said).toEqual([true, 'full', true])
  })

  test('that is mounted read-only is named, and the store is ready once it is not', () => {
    const said = play(`
      const ledger = await openSqliteLedger({ dataDir })
      await ask(ledger)
      await ledger.close()
      mount('-o', 'remount,ro', dataDir)
      await openSqliteLedger({ dataDir }).catch((error) => said.push(error.code))
      mount('-o', 'remount,rw', dataDir)
      await ask(await openSqliteLedger({ dataDir }))`)
    expect(said).toEqual([true, expect.stringMatching(/READONLY|EROFS|CANTOPEN/), true])
  })
})
