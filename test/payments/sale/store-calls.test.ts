import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Call, RawPayment } from '../../../src/payments/ports/sale.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

/**
 * Calls of the store by one sale. On PostgreSQL each is one statement and one round trip; those of a task are four
 * (`test/postgres/postgres-writes.test.ts`).
 */
let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
  // The first sale of a process also makes the key of the hour.
  await sell(bench.call('the first'), (await (await bench.buyer()).sign()).rawPayment)
})
afterEach(() => bench.stop())

async function callsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = bench.storeCalls.length
  await work()
  return bench.storeCalls.slice(before)
}

async function sell(call: Call, rawPayment: RawPayment): Promise<void> {
  const sale = await bench.layer.sell(call, rawPayment)
  if (sale.kind !== 'sold') throw new Error(sale.kind)
  sale.delivered()
}

test('a sale to a payer who has paid before: the claim, one look for other payments, the settlement, the delivery', async () => {
  const buyer = await bench.buyer()
  await sell(bench.call(), (await buyer.sign()).rawPayment)
  await sell(bench.call('another'), (await buyer.sign()).rawPayment)
  const { rawPayment } = await buyer.sign()
  expect(await callsOf(() => sell(bench.call('a third'), rawPayment))).toEqual([
    ...['claim', 'unanswered', 'moveUnflushed'],
    'noteDelivered',
  ])
})

test('a sale to a new payer reads first, and asks whether they have paid', async () => {
  const { rawPayment } = await (await bench.buyer()).sign()
  expect(await callsOf(() => sell(bench.call(), rawPayment))).toEqual([
    ...['find', 'unanswered', 'hasSettled', 'claim', 'unanswered', 'moveUnflushed'],
    'noteDelivered',
  ])
})

test('a sale over two messages: the task is written, found and claimed with the payment', async () => {
  const buyer = await bench.buyer()
  await sell(bench.call(), (await buyer.sign()).rawPayment)
  await sell(bench.call('another'), (await buyer.sign()).rawPayment)
  const { rawPayment } = await buyer.sign()
  const calls = await callsOf(async () => {
    const held = await bench.layer.holdVerdict(bench.taskCall('a third'))
    if (held.kind !== 'withheld') throw new Error(held.code)
    await sell({ kind: 'sealed', surface: 'a2a', client: 'c', taskId: held.taskId }, rawPayment)
  })
  expect(calls).toEqual(['saveTask', ...['findTask', 'claim', 'unanswered', 'move'], 'noteDelivered'])
})

test('a replay is one read and two notes', async () => {
  const { rawPayment } = await (await bench.buyer()).sign()
  await sell(bench.call(), rawPayment)
  expect(await callsOf(() => sell(bench.call(), rawPayment))).toEqual(['find', 'noteRepeat', 'noteDelivered'])
})
