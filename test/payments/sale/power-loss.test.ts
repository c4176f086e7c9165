import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
let disk: string
let restored: Ledger | undefined
beforeEach(async () => {
  bench = await startSaleBench()
  disk = mkdtempSync(join(tmpdir(), 'format-checker-disk-'))
})
afterEach(async () => {
  await restored?.close()
  restored = undefined
  await bench.stop()
  rmSync(disk, { recursive: true })
})

/** What is on disk while the facilitator has the settlement: the last flush is the claim's. */
const keepDisk = () => {
  for (const name of readdirSync(bench.dataDir))
    if (/^ledger\.sqlite(-wal)?$/.test(name)) copyFileSync(join(bench.dataDir, name), join(disk, name))
}

/** The machine comes back with what was on disk. */
async function comeBack(): Promise<void> {
  restored = await openSqliteLedger({ dataDir: disk, now: bench.clock.now })
  await bench.restart({ ledger: restored })
}

const settledAfterTheDiskWasKept = {
  lands: 'before',
  says: (truth: unknown) => {
    keepDisk()
    return truth
  },
} as const

describe('a machine that loses power after the answer has left', () => {
  test('has the row as settling, answers the repeat with the same receipt, and charges nothing', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    bench.facilitator.script.push(settledAfterTheDiskWasKept)
    const sale = await bench.sell(rawPayment)
    expect(sale).toMatchObject({ kind: 'sold', replayed: false })
    const row = await bench.row(buyer, nonce)
    await comeBack()
    expect(await restored?.find(row)).toMatchObject({ state: 'settling', attempts: 1, transaction: null })
    bench.clock.advance(31_000)
    const again = await bench.sell(rawPayment)
    expect(again).toMatchObject({ kind: 'sold', replayed: true })
    if (sale.kind !== 'sold' || again.kind !== 'sold') throw new Error('not sold')
    expect(again.settlement).toEqual(sale.settlement)
    expect(again.verdicts).toEqual(sale.verdicts)
    expect(await bench.charged()).toBe(1)
    expect(bench.facilitator.settled).toHaveLength(1)
  })

  test('answers a new signature for the call from the payment, and another value not at all', async () => {
    const buyer = await bench.buyer()
    const { rawPayment } = await buyer.sign()
    bench.facilitator.script.push(settledAfterTheDiskWasKept)
    await bench.sell(rawPayment)
    await comeBack()
    bench.clock.advance(31_000)
    expect(await bench.sell(rawPayment, bench.call('another value'))).toMatchObject({
      code: 'payment_already_used',
    })
    expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(1)
  })

  test('keeps a task completed: its record is on disk before the answer leaves', async () => {
    const flushed: unknown[] = []
    const { move, moveUnflushed } = bench.ledger
    const held = await bench.layer.holdVerdict(bench.taskCall())
    if (held.kind !== 'withheld') throw new Error(held.code)
    bench.ledger.move = (seen, change, options) => {
      if (change.state === 'settled') flushed.push(true)
      return move(seen, change, options)
    }
    bench.ledger.moveUnflushed = (seen, change) => {
      flushed.push(false)
      return moveUnflushed(seen, change)
    }
    const [forTask, plain] = [await (await bench.buyer()).sign(), await (await bench.buyer()).sign()]
    await bench.layer.sell(
      { kind: 'sealed', surface: 'a2a', client: 'c', taskId: held.taskId },
      forTask.rawPayment,
    )
    await bench.sell(plain.rawPayment)
    expect(flushed).toEqual([true, false])
  })

  test('may have lost a task that nothing was paid for: its payment is not charged', async () => {
    keepDisk()
    const held = await bench.layer.holdVerdict(bench.taskCall())
    if (held.kind !== 'withheld') throw new Error(held.code)
    await comeBack()
    const { rawPayment } = await (await bench.buyer()).sign()
    const call = { kind: 'sealed', surface: 'a2a', client: 'c', taskId: held.taskId } as const
    expect(await bench.layer.sell(call, rawPayment)).toMatchObject({
      kind: 'declined',
      code: 'task_not_found',
    })
    expect(await bench.charged()).toBe(0)
  })
})
