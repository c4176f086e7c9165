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
  bench.money.newcomersWait = true
  expect(await bench.sell((await known.sign()).rawPayment, bench.call('other'))).toMatchObject({
    kind: 'sold',
  })

  const newcomer = await bench.buyer()
  const { rawPayment } = await newcomer.sign()
  const sale = await bench.sell(rawPayment)
  const left = DAY_SECONDS - (bench.clock.seconds() % DAY_SECONDS)
  expect(sale).toMatchObject({ kind: 'declined', code: 'sales_paused' })
  expect(sale.kind === 'declined' && Math.abs((sale.retryAfterSeconds ?? 0) - left)).toBeLessThanOrEqual(1)
  expect(bench.facilitator.settled).toHaveLength(2)
  expect(await bench.reader.balance(newcomer.address)).toBe(1_000_000n)

  bench.money.newcomersWait = false
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
  expect(await bench.charged()).toBe(3)
})

test('a payer whose account does not cover a settlement waits until the day is over, too', async () => {
  const known = await bench.buyer()
  await bench.sell((await known.sign()).rawPayment)
  bench.money.newcomersWait = true
  bench.facilitator.script.push({ says: 'not_sent' })
  expect(await bench.sell((await known.sign()).rawPayment, bench.call('other'))).toMatchObject({
    kind: 'declined',
    code: 'sales_paused',
    retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= DAY_SECONDS),
  })
  expect(await bench.charged()).toBe(1)
})
