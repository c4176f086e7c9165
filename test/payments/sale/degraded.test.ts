import { afterEach, beforeEach, expect, test } from 'vitest'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

const DAY_SECONDS = 86_400

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

test('once losses reach their limit, payers who have paid here go on, and new ones wait until the day is over', async () => {
  const known = await bench.buyer()
  expect(await bench.sell((await known.sign()).rawPayment)).toMatchObject({ kind: 'sold' })
  bench.money.isLossLimitReached = true
  expect(await bench.sell((await known.sign()).rawPayment, bench.call('other'))).toMatchObject({
    kind: 'sold',
  })

  const newPayer = await bench.buyer()
  const { rawPayment } = await newPayer.sign()
  const sale = await bench.sell(rawPayment)
  const left = DAY_SECONDS - (bench.clock.seconds() % DAY_SECONDS)
  expect(sale).toMatchObject({ kind: 'declined', code: 'sales_paused' })
  expect(sale.kind === 'declined' && Math.abs((sale.retryAfterSeconds ?? 0) - left)).toBeLessThanOrEqual(1)
  expect(bench.facilitator.settled).toHaveLength(2)
  expect(await bench.reader.balance(newPayer.address)).toBe(1_000_000n)

  bench.money.isLossLimitReached = false
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
  expect(await bench.charged()).toBe(3)
})

test('a payer whose account does not cover a settlement waits until the day is over, too', async () => {
  const known = await bench.buyer()
  await bench.sell((await known.sign()).rawPayment)
  bench.money.isLossLimitReached = true
  bench.facilitator.script.push({ says: 'not_sent' })
  expect(await bench.sell((await known.sign()).rawPayment, bench.call('other'))).toMatchObject({
    kind: 'declined',
    code: 'sales_paused',
    retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= DAY_SECONDS),
  })
  expect(await bench.charged()).toBe(1)
})

test('a client address whose new payers fail to pay waits a day after the sixteenth, and other addresses do not', async () => {
  const failed = () => ({
    success: false,
    errorReason: 'invalid_transaction_state',
    transaction: `0x${'5'.repeat(64)}`,
    network: 'eip155:8453',
  })
  const sellFor = async (client: string) => {
    const { rawPayment } = await (await bench.buyer()).sign()
    return bench.sell(rawPayment, { ...bench.call(), client })
  }
  for (let times = 0; times < 16; times += 1) {
    bench.facilitator.script.push({ says: failed })
    expect(await sellFor('192.0.2.1')).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
  }
  expect(await sellFor('192.0.2.1')).toMatchObject({
    kind: 'declined',
    code: 'sales_paused',
    retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > DAY_SECONDS - 60),
  })
  expect(await sellFor('192.0.2.2')).toMatchObject({ kind: 'sold' })
  expect(bench.facilitator.settled).toHaveLength(17)
  expect(await bench.charged()).toBe(1)
})
