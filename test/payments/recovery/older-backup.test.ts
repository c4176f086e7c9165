import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { restorePayments } from '../../../src/payments/recovery/restore-lost-sales.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

const HOUR_MS = 3_600_000

let bench: SaleBench
let backup: string
let restored: Ledger | undefined
beforeEach(async () => {
  bench = await startSaleBench()
  backup = mkdtempSync(join(tmpdir(), 'format-checker-backup-'))
})
afterEach(async () => {
  await restored?.close()
  restored = undefined
  await bench.stop()
  rmSync(backup, { recursive: true })
})

const takeBackup = () => {
  for (const name of readdirSync(bench.dataDir))
    if (/^ledger\.sqlite(-wal)?$/.test(name)) copyFileSync(join(bench.dataDir, name), join(backup, name))
}

/** An hour later the service is stopped, the older file is put back, and the service starts on it. */
async function putBack(): Promise<Ledger> {
  bench.clock.advance(HOUR_MS)
  restored = await openSqliteLedger({ dataDir: backup, now: bench.clock.now })
  await bench.restart({ ledger: restored })
  return restored
}

const restore = () =>
  restorePayments(
    {
      ...{
        ledger: restored ?? bench.ledger,
        chain: bench.chain.reader,
        now: bench.clock.now,
      },
      payee: { network: 'eip155:8453', asset: TOKEN, payTo: bench.payTo },
    },
    bench.clock.now() - 2 * HOUR_MS,
  )

test('a sale that the older file does not know is not charged again, and answered once its row is restored', async () => {
  const { rawPayment } = await (await bench.buyer()).sign()
  takeBackup()
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
  await putBack()
  // Neither 402 nor 409: a client would sign again and pay twice.
  for (let tries = 0; tries < 3; tries += 1)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
  expect(await bench.sell(rawPayment)).toMatchObject({ code: 'too_many_requests' })
  await restore()
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
  expect(await bench.charged()).toBe(1)
  expect(bench.facilitator.settled).toHaveLength(1)
})

test('nor is its buyer told to sign again because the money for it is spent, or while no node answers', async () => {
  const { rawPayment } = await (await bench.buyer(1_000n)).sign()
  takeBackup()
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
  restored = await openSqliteLedger({ dataDir: backup, now: bench.clock.now })
  await bench.restart({ ledger: restored })
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
  bench.clock.advance(HOUR_MS)
  const { authorizationUsed } = bench.reader
  bench.reader.authorizationUsed = async () => {
    throw new ChainUnavailable('down')
  }
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
  bench.reader.authorizationUsed = authorizationUsed
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
  await restore()
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
})

test('nor by a facilitator that finds the account empty, where the store knows earlier sales of the buyer', async () => {
  const buyer = await bench.buyer(2_000n)
  expect(await bench.sell((await buyer.sign()).rawPayment, bench.call('earlier'))).toMatchObject({
    kind: 'sold',
  })
  takeBackup()
  const { rawPayment } = await buyer.sign()
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
  restored = await openSqliteLedger({ dataDir: backup, now: bench.clock.now })
  await bench.restart({ ledger: restored })
  const poor = { success: false, errorReason: 'insufficient_funds', transaction: '' }
  bench.facilitator.script.push({ says: () => poor })
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
  expect(await bench.charged()).toBe(2)
})

test('a sale that the older file knows as under way is found on the chain, and not sent again', async () => {
  const buyer = await bench.buyer()
  const { rawPayment, nonce } = await buyer.sign()
  bench.facilitator.script.push({
    lands: 'before',
    says: (truth) => {
      takeBackup()
      return truth
    },
  })
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
  const row = await bench.row(buyer, nonce)
  const ledger = await putBack()
  expect(await ledger.find(row)).toMatchObject({ state: 'settling' })
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
  expect(await bench.charged()).toBe(1)
  expect(bench.facilitator.settled).toHaveLength(1)
})

/** What a store forgets that falls back to a moment before the first sale of the hour, below a running service. */
const loseBindingKeys = () => {
  const database = new Database(join(bench.dataDir, 'ledger.sqlite'))
  database.exec("delete from facts where name like 'binding-key/%'")
  database.close()
}
const startHour = () => bench.clock.advance(HOUR_MS - (bench.clock.now() % HOUR_MS))

test('what is sold after the store lost the key of the hour below the service is repeated by its successor', async () => {
  startHour()
  const buyer = await bench.buyer()
  expect(await bench.sell((await buyer.sign()).rawPayment, bench.call('first'))).toMatchObject({
    kind: 'sold',
  })
  loseBindingKeys()
  const { rawPayment } = await buyer.sign()
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
  await bench.layer.context.bindings.keep(bench.clock.now())
  await bench.restart()
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
})

test('nor do replicas go on with different keys, where another one was first to write a key again', async () => {
  startHour()
  const buyer = await bench.buyer()
  expect(await bench.sell((await buyer.sign()).rawPayment, bench.call('first'))).toMatchObject({
    kind: 'sold',
  })
  loseBindingKeys()
  const other = await bench.replica()
  expect(await other.sell(bench.call('second'), (await buyer.sign()).rawPayment)).toMatchObject({
    kind: 'sold',
  })
  await bench.layer.context.bindings.keep(bench.clock.now())
  const { rawPayment } = await buyer.sign()
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
  expect(await other.sell(bench.call(), rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
})
