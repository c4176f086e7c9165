import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'
import { restorePayments } from '../../../src/payments/recovery/restore-lost-sales.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { rawPaymentOf } from '../../support/bench-buyer.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

/** A sale whose row is gone, as after an older backup was put back. */
async function lostPayment() {
  const signed = await (await bench.buyer()).sign()
  const { rawPayment } = signed
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
  const database = new Database(join(bench.dataDir, 'ledger.sqlite'))
  database.exec('delete from payments')
  database.close()
  bench.clock.advance(4_000)
  await bench.restart()
  return signed
}
const lostSale = async () => (await lostPayment()).rawPayment
const restore = (since = bench.clock.now() - 60_000, ledger = bench.ledger) =>
  restorePayments(
    {
      ledger,
      chain: bench.chain.reader,
      payee: { network: 'eip155:8453', asset: TOKEN, payTo: bench.payTo },
      now: bench.clock.now,
    },
    since,
  )

test('without it the buyer of a lost row is in doubt for a day, and not charged again', async () => {
  const rawPayment = await lostSale()
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
  bench.clock.advance(86_000_000)
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
  bench.clock.advance(1_000_000)
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_already_used' })
  expect(await bench.charged()).toBe(1)
})

test('a lost payment answers its own call, also on repetition, and no other', async () => {
  const { rawPayment, payload, nonce } = await lostPayment()
  expect(await restore()).toEqual({ restored: 1, ignored: 0 })
  const { from } = payload.payload.authorization as { from: Hex }
  expect(await bench.row({ address: from }, nonce)).toMatchObject({ shape: 'single', items: 1 })
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
  expect(await bench.sell(rawPayment, bench.call('another value'))).toMatchObject({ kind: 'declined' })
  expect(await bench.charged()).toBe(1)
})

test('a lost payment that was repeated before its row was restored answers its call', async () => {
  const rawPayment = await lostSale()
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
  expect(await restore()).toEqual({ restored: 1, ignored: 0 })
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
  expect(await bench.sell(rawPayment, bench.call('another value'))).toMatchObject({ kind: 'declined' })
  expect(await restore()).toEqual({ restored: 0, ignored: 0 })
  expect(await bench.charged()).toBe(1)
})

test('so does one that was repeated, and given up after a day', async () => {
  const rawPayment = await lostSale()
  await bench.sell(rawPayment)
  bench.clock.advance(87_000_000)
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_already_used' })
  expect(await restore(0)).toEqual({ restored: 1, ignored: 0 })
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
})

test('an expired authorization is answered all the same', async () => {
  const rawPayment = await lostSale()
  await restore()
  bench.clock.advance(3_600_000)
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
})

test('a contract wallet, whose signature can no longer be judged, is in doubt and need not sign again', async () => {
  const { payload } = await lostPayment()
  await restore()
  bench.reader.hasCode = async () => true
  const byWallet = { ...payload.payload, signature: `0x${'ab'.repeat(100)}` }
  expect(await bench.sell(rawPaymentOf({ ...payload, payload: byWallet }))).toMatchObject({
    kind: 'declined',
    code: 'payment_in_doubt',
  })
})

test('of several calls at once with one lost payment a single one is answered', async () => {
  const rawPayment = await lostSale()
  await restore()
  const second = await bench.replica()
  const values = Array.from({ length: 6 }, (_, index) => `value ${index}`)
  const answers = await Promise.all(
    values.map((value, index) =>
      (index % 2 === 0 ? bench.layer : second).sell(bench.call(value), rawPayment),
    ),
  )
  expect(answers.filter(({ kind }) => kind === 'sold')).toHaveLength(1)
  expect(await bench.charged()).toBe(1)
})

test('after a day without its buyer a restored payment answers no more', async () => {
  const rawPayment = await lostSale()
  await restore()
  bench.clock.advance(86_400_001)
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'replay_window_over' })
})

test('rows that exist, and transfers without an authorization, are left alone', async () => {
  const rawPayment = await lostSale()
  await bench.chain.fund(bench.payTo, 5n)
  expect(await restore()).toEqual({ restored: 1, ignored: 1 })
  await bench.sell(rawPayment)
  expect(await restore()).toEqual({ restored: 0, ignored: 1 })
})

test('a restore that the store ended between its two writes is taken up by the next one', async () => {
  const rawPayment = await lostSale()
  const failing = new Proxy(bench.ledger, {
    get: (ledger, name: keyof Ledger) =>
      name === 'move' ? () => Promise.reject(new StoreUnavailable('gone')) : ledger[name],
  })
  await expect(restore(undefined, failing)).rejects.toThrow(StoreUnavailable)
  expect(await restore()).toEqual({ restored: 1, ignored: 0 })
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
})

test('a repeat that was still under way when its payment was restored leaves no owner', async () => {
  const { rawPayment, payload, nonce } = await lostPayment()
  await bench.sell(rawPayment)
  const { from } = payload.payload.authorization as { from: Hex }
  const row = await bench.row({ address: from }, nonce)
  const held = await bench.ledger.move(row as PaymentRow, {
    owner: 'sale',
    leaseUntil: bench.clock.now() + 1,
  })
  expect(held).toMatchObject({ state: 'in_doubt', owner: 'sale' })
  expect(await restore()).toEqual({ restored: 1, ignored: 0 })
  expect(await bench.row({ address: from }, nonce)).toMatchObject({ owner: null, leaseUntil: 0 })
})

test('the walk begins at the backup, also where blocks come faster than every two seconds', async () => {
  const since = bench.clock.now()
  bench.clock.advance(2_000)
  await lostSale()
  for (let blocks = 0; blocks < 10; blocks += 1) await bench.chain.fund(`0x${'12'.repeat(20)}`, 5n)
  expect(await restore(since)).toEqual({ restored: 1, ignored: 0 })
})
