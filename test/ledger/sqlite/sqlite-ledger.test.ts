import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts'
import { StoreUnavailable } from '../../../src/ledger/store-unavailable.ts'
import { attached, newTask } from '../../support/ledger-rows.ts'
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

  test('holds no lease of a clock that was hours ahead once it is opened again', async () => {
    const dataDir = freshDir()
    const now = 1_800_000_000_000
    const ahead = now + 7_200_000
    const first = await openSqliteLedger({ dataDir, now: () => ahead })
    const [stray, held] = [newPayment({ leaseUntil: ahead }), newPayment({ leaseUntil: now + 30_000 })]
    for (const payment of [stray, held]) await first.claim(payment)
    await first.acquireLock('reconcile', 'a', ahead, ahead + 120_000)
    await first.close()
    const second = await openSqliteLedger({ dataDir, now: () => now })
    expect(await second.find(stray)).toMatchObject({ leaseUntil: now })
    expect(await second.find(held)).toMatchObject({ leaseUntil: now + 30_000 })
    expect(await second.acquireLock('reconcile', 'b', now, now + 120_000)).toBe(true)
    await second.close()
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
    expect(statSync(dataDir).mode & 0o077).toBe(0)
    expect(readdirSync(dataDir)).toContain('ledger.sqlite')
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
