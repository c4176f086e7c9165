import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test, vi } from 'vitest'
import { LEASE_MS } from '../../../src/ledger/payments/payment-row.ts'
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts'
import { openSqliteReader } from '../../../src/ledger/sqlite/sqlite-reader.ts'
import { LONGEST_LEASE_MS } from '../../../src/ledger/store/store-lock.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'
import { newDeposit } from '../../support/channel-rows.ts'
import { beforeStatement, watchCommits } from '../../support/driver-statements.ts'
import { attached, claimed, newTask } from '../../support/ledger-rows.ts'
import { newPayment } from '../../support/payment-rows.ts'
import { LACKS } from '../../support/platform.ts'
import { reach } from '../../support/reach-state.ts'
import { openTempLedger } from '../../support/temp-ledger.ts'
import { layUnreleasedStore, UNRELEASED } from '../../support/unreleased-store.ts'
import { describeLedger } from '../ledger-contract.ts'

const freshDir = () => mkdtempSync(join(tmpdir(), 'format-checker-ledger-'))

describeLedger('SQLite', openTempLedger)
describe('the SQLite file', () => {
  test('has what was asked of it before it is closed', async () => {
    const ledger = await openSqliteLedger({ dataDir: freshDir() })
    const claim = ledger.claim(newPayment())
    await ledger.close()
    expect(await claim).toMatchObject({ kind: 'claimed' })
  })

  test('is closed before another process may open it', async () => {
    const { ledger } = await openTempLedger()
    const closed = vi.spyOn(Database.prototype, 'close')
    await ledger.close()
    const files = closed.mock.contexts.map((database) => basename((database as Database.Database).name))
    closed.mockRestore()
    expect(files).toEqual(['ledger.sqlite', 'ledger.lock'])
  })

  test('holds what was written after it is closed and opened again', async () => {
    const dataDir = freshDir()
    const payment = newPayment()
    const first = await openSqliteLedger({ dataDir })
    await first.claim(payment)
    await first.close()
    const second = await openSqliteLedger({ dataDir })
    expect(await second.find(payment)).toMatchObject({ nonce: payment.nonce })
    await second.close()
  })

  test.each([
    ['hours ahead', 7_200_000],
    ['five minutes ahead', 300_000],
    ['right', 0],
  ])('opened again, has no lease that ends later than one of now, if the clock before was %s', async (_what, aheadMs) => {
    const dataDir = freshDir()
    const now = 1_800_000_000_000
    const leaseUntil = now + aheadMs + LEASE_MS
    const first = await openSqliteLedger({ dataDir, now: () => now + aheadMs })
    const payments = [newPayment({ leaseUntil }), newPayment({ leaseUntil: now + 1_000 })]
    const deposits = [newDeposit({ leaseUntil }), newDeposit({ leaseUntil: now + 1_000 })]
    const landed = newDeposit({ leaseUntil, state: 'landed' })
    for (const payment of payments) await first.claim(payment)
    for (const deposit of [...deposits, landed]) await first.claimDeposit(deposit)
    await first.acquireLock('loop', 'a', now, now + aheadMs + LONGEST_LEASE_MS)
    const sold = await claimed(first, { leaseUntil })
    await reach(first, sold, { state: 'settled', settledAt: now })
    await first.close()
    const second = await openSqliteLedger({ dataDir, now: () => now })
    const leases = async (rows: readonly Promise<{ leaseUntil: number } | null>[]) =>
      (await Promise.all(rows)).map((row) => row?.leaseUntil)
    expect(await leases(payments.map(second.find))).toEqual([now + LEASE_MS, now + 1_000])
    expect(
      await leases([...deposits, landed].map(({ payer, nonce }) => second.findDeposit(payer, nonce))),
    ).toEqual([now + LEASE_MS, now + 1_000, leaseUntil])
    expect(await leases([second.find(sold)])).toEqual([leaseUntil])
    const end = now + LONGEST_LEASE_MS
    expect(await second.acquireLock('loop', 'b', end - 1, end)).toBe(false)
    expect(await second.acquireLock('loop', 'b', end, end)).toBe(true)
    await second.close()
  })

  test.each([
    ['payments', 'update'],
    ['channel_deposits', 'update'],
    ['locks', 'update'],
  ])('is not opened while a lease of a clock that was ahead cannot be shortened: %s', async (table, act) => {
    const dataDir = freshDir()
    const first = await openSqliteLedger({ dataDir })
    const leaseUntil = Date.now() + 3_600_000
    await claimed(first, { leaseUntil })
    await first.claimDeposit(newDeposit({ leaseUntil }))
    await first.acquireLock('loop', 'boot-1', 1, leaseUntil)
    await first.close()
    const database = new Database(join(dataDir, 'ledger.sqlite'))
    database.exec(`create trigger fails before ${act} on ${table} begin select raise(abort, 'it fails'); end`)
    database.close()
    await expect(openSqliteLedger({ dataDir })).rejects.toBeInstanceOf(StoreUnavailable)
  })

  test('waits for no flush for a task without a payment, and for one with the claim of its payment', async () => {
    const { flushed, end } = watchCommits()
    const patience = () => ({ end: () => {} })
    const ledger = await openSqliteLedger({ dataDir: freshDir(), timing: { patience } })
    const task = newTask()
    await ledger.saveTask(task, 10)
    await ledger.claim(newPayment({ taskKey: task.key }), attached(task.key))
    expect(flushed).toEqual([false, true])
    end()
    await ledger.close()
  })

  test('counts an unpaid task until the moment at which it expires', async () => {
    let now = 1_000
    const ledger = await openSqliteLedger({ dataDir: freshDir(), now: () => now })
    await ledger.saveTask(newTask({ expiresAt: 60_000 }), 10)
    now = 59_999
    expect(await ledger.backlog()).toMatchObject({ unpaidTasks: 1 })
    now = 60_000
    expect(await ledger.backlog()).toMatchObject({ unpaidTasks: 0 })
    await ledger.close()
  })

  test('undoes nothing for a repeat with its task: every write of its group would run again', async () => {
    const ledger = await openSqliteLedger({ dataDir: freshDir() })
    const task = newTask()
    await ledger.saveTask(task, 10)
    const payment = newPayment({ taskKey: task.key })
    await ledger.claim(payment, attached(task.key))
    const exec = vi.spyOn(Database.prototype, 'exec')
    expect(await ledger.claim(payment, attached(task.key))).toMatchObject({ kind: 'known' })
    expect(exec.mock.calls).toEqual([])
    exec.mockRestore()
    await ledger.close()
  })

  test('refuses by itself a second row of one chain log, and a second one to settle under one identifier', async () => {
    const dataDir = freshDir()
    const ledger = await openSqliteLedger({ dataDir })
    const identifier = Buffer.alloc(32, 7)
    const change = { transaction: '0x1', logIndex: 1, settledAt: 1 }
    const sold = await reach(ledger, await claimed(ledger), { state: 'settled', ...change })
    const settling = await claimed(ledger, { identifier, settlingAt: 1 })
    const free = await claimed(ledger, { identifier })
    const database = new Database(join(dataDir, 'ledger.sqlite'))
    const set = (values: string) =>
      database.exec(`update payments set ${values} where nonce = '${free.nonce}'`)
    expect(() => set("state = 'settling'")).toThrow('UNIQUE constraint failed: payments.identifier')
    expect(() => set("tx = '0x1', log_index = 1")).toThrow('UNIQUE constraint failed: payments.network')
    set("tx = '0x1', log_index = 2")
    database.close()
    for (const row of [sold, settling]) expect(await ledger.find(row)).toEqual(row)
    await ledger.close()
  })

  test('is not ready while one of its migrations is missing, and is known as that of a newer version', async () => {
    const dataDir = freshDir()
    const first = await openSqliteLedger({ dataDir })
    const reader = openSqliteReader({ dataDir })
    const database = new Database(join(dataDir, 'ledger.sqlite'))
    database.exec("insert into kysely_migration values ('9999-newer', '')")
    expect([await first.ready(), await reader?.schemaAge()]).toEqual([true, 'newer'])
    database.exec("delete from kysely_migration where name <> '9999-newer'")
    expect(await first.ready()).toBe(false)
    await Promise.all([first.close(), reader?.close()])
    database.close()
  })

  test('from before the first release is refused, and stays as it is', async () => {
    const dataDir = freshDir()
    layUnreleasedStore(dataDir)
    const database = new Database(join(dataDir, 'ledger.sqlite'))
    const contents = () =>
      ['sqlite_schema', 'kysely_migration', 'facts'].map((table) =>
        database.prepare(`select * from ${table}`).all(),
      )
    const before = contents()
    await expect(openSqliteLedger({ dataDir })).rejects.toThrow(new StoreUnavailable(UNRELEASED))
    const reader = openSqliteReader({ dataDir })
    expect(await reader?.schemaAge()).toBe('unreleased')
    await reader?.close()
    expect(contents()).toEqual(before)
    database.close()
  })

  test('is as it was if a migration fails half-way', async () => {
    const dataDir = freshDir()
    const database = new Database(join(dataDir, 'ledger.sqlite'))
    database.exec('create table channels (of_another_program)')
    await expect(openSqliteLedger({ dataDir })).rejects.toThrow('already exists')
    expect(database.prepare('select name from sqlite_schema').pluck().all()).toEqual(['channels'])
    database.close()
  })

  /** A store whose next statement with this text fails with this code. */
  const onFailingDisk = async (text: string, code: string) => {
    const disk = { fails: false, ends: 0 }
    const end = beforeStatement(text, () => {
      if (disk.fails) throw new Database.SqliteError('told to fail', code)
    })
    const dataDir = freshDir()
    const ledger = await openSqliteLedger({
      dataDir,
      timing: { patience: () => ({ end: () => {} }), logPages: 1 },
      onFailedFlush: () => {
        disk.ends += 1
      },
    })
    const files = () => ['', '-wal'].map((name) => readFileSync(join(dataDir, `ledger.sqlite${name}`)))
    return { ledger, files, disk, end }
  }

  test.each([
    ['a commit', 'commit', 'SQLITE_IOERR_FSYNC'],
    ['a commit, of the folder', 'commit', 'SQLITE_IOERR_DIR_FSYNC'],
    ['a statement', 'into payments', 'SQLITE_IOERR_FSYNC'],
    ['a checkpoint', 'wal_checkpoint(PASSIVE)', 'SQLITE_IOERR_FSYNC'],
  ])('ends the process once if a flush fails in %s, and touches no file again', async (_in, text, code) => {
    const { ledger, files, disk, end } = await onFailingDisk(text, code)
    const known = newPayment()
    await ledger.claim(known)
    disk.fails = true
    const group = await Promise.allSettled([1, 2, 3].map(() => ledger.claim(newPayment())))
    expect([group.map(({ status }) => status), disk.ends]).toEqual([Array(3).fill('rejected'), 1])
    disk.fails = false
    const before = files()
    await expect(ledger.claim(newPayment())).rejects.toThrow(StoreUnavailable)
    await expect(ledger.find(known)).rejects.toThrow(StoreUnavailable)
    await expect(ledger.purge(1, { deliveredMs: 1, undeliveredMs: 1 })).rejects.toThrow(StoreUnavailable)
    await expect(ledger.close()).rejects.toThrow('a flush of the store failed')
    expect([files(), disk.ends]).toEqual([before, 1])
    end()
  })

  test.each([
    'SQLITE_FULL',
    'SQLITE_IOERR_WRITE',
  ])('goes on after a commit that fails otherwise: %s', async (code) => {
    const { ledger, disk, end } = await onFailingDisk('commit', code)
    disk.fails = true
    await expect(ledger.claim(newPayment())).rejects.toThrow(StoreUnavailable)
    disk.fails = false
    expect(await ledger.claim(newPayment())).toMatchObject({ kind: 'claimed' })
    expect(disk.ends).toBe(0)
    await ledger.close()
    end()
  })

  test('reports a flush that fails while it is closed', async () => {
    const { ledger, disk, end } = await onFailingDisk('wal_checkpoint(PASSIVE)', 'SQLITE_IOERR_FSYNC')
    disk.fails = true
    await expect(ledger.close()).rejects.toThrow('told to fail')
    expect(disk.ends).toBe(1)
    end()
  })

  test('flushes what was written before a durable write that has nothing to write', async () => {
    const dataDir = freshDir()
    const ledger = await openSqliteLedger({ dataDir })
    const size = () => statSync(join(dataDir, 'ledger.sqlite-wal')).size
    await ledger.ensureFact('fact', 'as it is')
    const nothing = () => ledger.replaceFact('fact', 'one', 'two')
    await nothing()
    const empty = size()
    await nothing()
    expect(size()).toBe(empty)
    await ledger.saveTask(newTask(), 10)
    const task = size()
    await nothing()
    expect(size()).toBeGreaterThan(task)
    await ledger.close()
  })

  test('keeps nothing of what a purge deletes, neither in the file nor in its log', async () => {
    const dataDir = freshDir()
    const ledger = await openSqliteLedger({ dataDir })
    const task = newTask()
    await ledger.saveTask(task, 10)
    const [file, log] = [join(dataDir, 'ledger.sqlite'), join(dataDir, 'ledger.sqlite-wal')]
    const reader = new Database(file)
    reader.pragma('wal_checkpoint(PASSIVE)')
    reader.close()
    expect(readFileSync(file).includes(task.sealed)).toBe(true)
    expect(await ledger.purge(60_000, { deliveredMs: 1, undeliveredMs: 1 })).toMatchObject({ tasks: 1 })
    expect(readFileSync(file).includes(task.sealed)).toBe(false)
    expect(statSync(log).size).toBe(0)
    await ledger.close()
  })

  test('truncates its log between two transactions, however many writes wait', async () => {
    const ledger = await openSqliteLedger({
      dataDir: freshDir(),
      timing: { patience: () => ({ end: () => {} }) },
    })
    let isOver = false
    const goOn = async () => {
      while (!isOver) await claimed(ledger)
    }
    // More than fit in one commit.
    const writers = Array.from({ length: 129 }, goOn)
    const purged = ledger.purge(60_000, { deliveredMs: 1, undeliveredMs: 1 }).finally(() => {
      isOver = true
    })
    expect(await purged).toMatchObject({ tasks: 0 })
    await Promise.all(writers)
    await ledger.close()
  })

  test('is not opened while its lock file is something else, and that is not told as another process', async () => {
    const dataDir = freshDir()
    writeFileSync(join(dataDir, 'ledger.lock'), 'something else '.repeat(100))
    await expect(openSqliteLedger({ dataDir })).rejects.toThrow('not a database')
  })

  test('commits a delivery with the next write, without a flush for it', async () => {
    const { flushed, end } = watchCommits()
    const timing = { patience: () => ({ end: () => {} }) }
    const ledger = await openSqliteLedger({ dataDir: freshDir(), timing })
    const row = await reach(ledger, await claimed(ledger), { state: 'settled', settledAt: 1 })
    flushed.length = 0
    const notes = [1, 2].map((at) => ledger.noteDelivered(row, at, 50))
    await new Promise((resolve) => setTimeout(resolve))
    expect(await ledger.find(row)).toMatchObject({ deliveredAt: null })
    expect(ledger.load.waiting()).toBe(2)
    // A look at the payer's rows does not wait for the next write.
    expect(await ledger.unanswered(row.payer, row.checkType, 0, 9)).toEqual([])
    await Promise.all(notes)
    expect(await ledger.find(row)).toMatchObject({ deliveredAt: 1 })
    expect([ledger.load.waiting(), flushed]).toEqual([0, [false]])
    end()
    await ledger.close()
  })

  test('keeps a second user of the directory off, and lets it in once the first has gone', async () => {
    const dataDir = freshDir()
    const first = await openSqliteLedger({ dataDir })
    await expect(openSqliteLedger({ dataDir })).rejects.toThrow('DATA_DIR')
    const other = spawnSync(process.execPath, [
      '--input-type=module',
      '-e',
      `import { openSqliteLedger } from ${JSON.stringify(join(import.meta.dirname, '../../../src/ledger/sqlite/sqlite-ledger.ts'))}
       await openSqliteLedger({ dataDir: ${JSON.stringify(dataDir)} })`,
    ])
    expect(other.status).not.toBe(0)
    expect(other.stderr.toString()).toContain('DataDirInUse')
    await first.close()
    await (await openSqliteLedger({ dataDir })).close()
  })

  test('keeps what a killed process had been told was written', async () => {
    const dataDir = freshDir()
    const payment = newPayment()
    const killed = spawnSync(process.execPath, [
      '--input-type=module',
      '-e',
      `import { openSqliteLedger } from ${JSON.stringify(join(import.meta.dirname, '../../../src/ledger/sqlite/sqlite-ledger.ts'))}
       const ledger = await openSqliteLedger({ dataDir: ${JSON.stringify(dataDir)} })
       const bytes = (hex) => Buffer.from(hex, 'hex')
       await ledger.claim({ ...${JSON.stringify({ ...payment, amount: '1000', salt: null, binding: null })}, amount: 1000n })
       process.kill(process.pid, 'SIGKILL')`,
    ])
    expect(killed.signal).toBe('SIGKILL')
    const ledger = await openSqliteLedger({ dataDir })
    expect(await ledger.find(payment)).toMatchObject({ state: 'claimed', amount: 1000n })
    await ledger.close()
  })

  test.skipIf(LACKS.modes)('is readable by its owner only', async () => {
    const parent = freshDir()
    const dataDir = join(parent, 'data')
    const ledger = await openSqliteLedger({ dataDir })
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    const files = readdirSync(dataDir)
    expect(files.length).toBeGreaterThan(3)
    for (const file of files) expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600)
    await ledger.close()
  })

  test('shows a delivery that is not committed yet to the next look at the payer', async () => {
    const dataDir = freshDir()
    const ledger = await openSqliteLedger({ dataDir })
    const claimed = await ledger.claim(newPayment())
    if (claimed.kind !== 'claimed') throw new Error('not claimed')
    const row = await reach(ledger, claimed.row, {
      state: 'settled',
      transaction: `0x${'1'.repeat(64)}`,
      settledAt: 1,
    })
    const look = () => ledger.unanswered(row.payer, row.checkType, 0, Number.MAX_SAFE_INTEGER)
    expect(await look()).toHaveLength(1)
    const noted = ledger.noteDelivered(row, 1, 50)
    expect(await look()).toEqual([])
    await noted
    await ledger.close()
  })

  test('says StoreUnavailable once it is closed, and closing it again does nothing', async () => {
    const ledger = await openSqliteLedger({ dataDir: freshDir() })
    await ledger.close()
    await ledger.close()
    await expect(ledger.find(newPayment())).rejects.toThrow(StoreUnavailable)
    await expect(ledger.claim(newPayment())).rejects.toThrow(StoreUnavailable)
  })
})
