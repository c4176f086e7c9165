import { spawnSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
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
import { attached, claimed, newTask } from '../../support/ledger-rows.ts'
import { newPayment } from '../../support/payment-rows.ts'
import { reach } from '../../support/reach-state.ts'
import { openTempLedger } from '../../support/temp-ledger.ts'
import { describeLedger } from '../ledger-contract.ts'
import { describeOlderReplicas } from '../older-replicas.ts'

const freshDir = () => mkdtempSync(join(tmpdir(), 'format-checker-ledger-'))

describeLedger('SQLite', openTempLedger)
describeOlderReplicas('SQLite', async () => {
  const { ledger, dataDir, close } = await openTempLedger()
  const direct = new Database(join(dataDir, 'ledger.sqlite'))
  return {
    ledger,
    run: async (sql) => {
      const statement = direct.prepare(sql)
      if (statement.reader) return statement.all() as object[]
      statement.run()
      return []
    },
    close: async () => {
      direct.close()
      await close()
    },
  }
})

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
    let flushes = 0
    const flush = {
      sync: () => {
        flushes += 1
      },
      async: (_: number, done: (error: null) => void) => {
        flushes += 1
        done(null)
      },
      monotonicMs: () => 0,
    }
    const patience = () => ({ end: () => {} })
    const ledger = await openSqliteLedger({ dataDir: freshDir(), timing: { patience, flush } })
    const task = newTask()
    await ledger.saveTask(task, 10)
    expect(flushes).toBe(0)
    await ledger.claim(newPayment({ taskKey: task.key }), attached(task.key))
    expect(flushes).toBe(1)
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

  test('is not ready while one of its migrations is missing, and makes up for it when it is opened', async () => {
    const dataDir = freshDir()
    const first = await openSqliteLedger({ dataDir })
    const restored = await claimed(first, { origin: 'restored', validBefore: null })
    const database = new Database(join(dataDir, 'ledger.sqlite'))
    database.exec("delete from kysely_migration where name in ('0005-doubt-reason', '0009-payment-origin')")
    database.exec("insert into kysely_migration values ('9999-newer', 'now')")
    expect(await first.ready()).toBe(false)
    await first.close()
    for (const column of ['doubt', 'origin']) database.exec(`alter table payments drop column ${column}`)
    const second = await openSqliteLedger({ dataDir })
    expect(await second.ready()).toBe(true)
    expect(await second.find(restored)).toEqual(restored)
    const reader = openSqliteReader({ dataDir })
    expect(await reader?.newerMigrations()).toEqual(['9999-newer'])
    await reader?.close()
    database.close()
    await second.close()
  })

  test('is as it was if a migration fails half-way', async () => {
    const dataDir = freshDir()
    const database = new Database(join(dataDir, 'ledger.sqlite'))
    database.exec('create table channels (of_another_program)')
    await expect(openSqliteLedger({ dataDir })).rejects.toThrow('already exists')
    expect(database.prepare('select name from sqlite_schema').pluck().all()).toEqual(['channels'])
    database.close()
  })

  /** A store whose flushes fail while there is an error. */
  const onFailingDisk = async () => {
    const disk: { error: Error | null } = { error: null }
    const flush = {
      sync: () => {
        if (disk.error !== null) throw disk.error
      },
      async: (_: number, done: (error: Error | null) => void) => done(disk.error),
    }
    const dataDir = freshDir()
    const timing = { patience: () => ({ end: () => {} }), flush }
    const [file, log] = [join(dataDir, 'ledger.sqlite'), join(dataDir, 'ledger.sqlite-wal')]
    return { ledger: await openSqliteLedger({ dataDir, timing }), dataDir, file, log, disk }
  }

  test('writes its log again after a flush that failed, and leaves the database alone until then', async () => {
    const { ledger, file, log, disk } = await onFailingDisk()
    const [first, second] = [newPayment(), newPayment()]
    disk.error = new Error('told to fail')
    await expect(ledger.claim(first)).rejects.toThrow(StoreUnavailable)
    const before = { file: readFileSync(file), log: readFileSync(log) }
    await expect(ledger.claim(second)).rejects.toThrow(StoreUnavailable)
    await expect(ledger.purge(1, { deliveredMs: 1, undeliveredMs: 1 })).rejects.toThrow(StoreUnavailable)
    disk.error = null
    expect(await ledger.claim(second)).toMatchObject({ kind: 'claimed' })
    expect(readFileSync(file)).toEqual(before.file)
    expect(readFileSync(log).subarray(0, before.log.length)).toEqual(before.log)
    await ledger.close()
    expect(statSync(log, { throwIfNoEntry: false })).toBeUndefined()
  })

  test('writes nothing more if the system has dropped a part of its log after a flush that failed', async () => {
    const { ledger, dataDir, file, log, disk } = await onFailingDisk()
    const [kept, lost] = [newPayment(), newPayment()]
    await ledger.claim(kept)
    const { size } = statSync(log)
    disk.error = new Error('told to fail')
    await expect(ledger.claim(lost)).rejects.toThrow(StoreUnavailable)
    disk.error = null
    const descriptor = openSync(log, 'r+')
    // The first frame behind what was flushed: free space inside a page is zeros as it is.
    writeSync(descriptor, Buffer.alloc(512), 0, 512, size)
    closeSync(descriptor)
    const before = readFileSync(file)
    await expect(ledger.claim(newPayment())).rejects.toThrow(StoreUnavailable)
    await expect(ledger.close()).rejects.toThrow('start the service again')
    expect(readFileSync(file)).toEqual(before)
    const copy = freshDir()
    for (const name of ['ledger.sqlite', 'ledger.sqlite-wal'])
      copyFileSync(join(dataDir, name), join(copy, name))
    const again = await openSqliteLedger({ dataDir: copy })
    expect(await again.find(kept)).toMatchObject({ state: 'claimed' })
    expect(await again.find(lost)).toBeNull()
    await again.close()
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
    const flush = {
      sync: () => {},
      async: (_: number, done: (error: null) => void) => done(null),
      monotonicMs: () => 0,
    }
    const ledger = await openSqliteLedger({
      dataDir: freshDir(),
      timing: { patience: () => ({ end: () => {} }), flush },
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
    const flushes: string[] = []
    const flush = {
      sync: () => void flushes.push('flush'),
      async: (_: number, done: (error: null) => void) => {
        flushes.push('flush')
        done(null)
      },
      monotonicMs: () => 0,
    }
    const timing = { patience: () => ({ end: () => {} }), flush }
    const ledger = await openSqliteLedger({ dataDir: freshDir(), timing })
    const row = await reach(ledger, await claimed(ledger), { state: 'settled', settledAt: 1 })
    flushes.length = 0
    const notes = [1, 2].map((at) => ledger.noteDelivered(row, at, 50))
    await new Promise((resolve) => setTimeout(resolve))
    expect(await ledger.find(row)).toMatchObject({ deliveredAt: null })
    expect(ledger.load.waiting()).toBe(2)
    // A look at the payer's rows does not wait for the next write.
    expect(await ledger.unanswered(row.payer, row.checkType, 0, 9)).toEqual([])
    await Promise.all(notes)
    expect(await ledger.find(row)).toMatchObject({ deliveredAt: 1 })
    expect([ledger.load.waiting(), flushes]).toEqual([0, []])
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

  test('is readable by its owner only', async () => {
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

  test('says StoreUnavailable once it is closed', async () => {
    const ledger = await openSqliteLedger({ dataDir: freshDir() })
    await ledger.close()
    await expect(ledger.find(newPayment())).rejects.toThrow(StoreUnavailable)
    await expect(ledger.claim(newPayment())).rejects.toThrow(StoreUnavailable)
  })
})
