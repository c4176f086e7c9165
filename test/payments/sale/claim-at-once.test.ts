import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PaymentLayer } from '../../../src/app/payments/payment-layer.ts'
import type { Sale } from '../../../src/payments/ports/sale.ts'
import type { BenchBuyer } from '../../support/bench-buyer.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

/** Payments of a payer that the process remembers: the ledger is not read before their claim. */
let bench: SaleBench
let buyer: BenchBuyer
beforeEach(async () => {
  bench = await startSaleBench()
  buyer = await bench.buyer()
  await remember(bench.layer)
})
afterEach(() => bench.stop())

let others = 0

/** Two sales of other calls, answered: after the first the payer has paid, and the second finds that. */
async function remember(layer: PaymentLayer): Promise<void> {
  for (let sales = 0; sales < 2; sales++) {
    bench.clock.advance(1)
    others += 1
    const sale = await layer.sell(bench.call(`other ${others}`), (await buyer.sign()).rawPayment)
    delivered(sale)
  }
}

function delivered(sale: Sale): void {
  if (sale.kind !== 'sold') throw new Error(sale.kind)
  sale.delivered()
}

async function callsOf(work: () => Promise<Sale>): Promise<readonly [Sale, readonly string[]]> {
  const before = bench.storeCalls.length
  const sale = await work()
  return [sale, bench.storeCalls.slice(before)]
}

test('a sale whose answer was lost answers a new signature: what was claimed for that is released', async () => {
  await bench.sell((await buyer.sign()).rawPayment)
  const charged = await bench.charged()
  const { rawPayment, nonce } = await buyer.sign()
  const [sale, calls] = await callsOf(() => bench.sell(rawPayment))
  expect(sale).toMatchObject({ kind: 'sold', replayed: true })
  expect(calls).toEqual(['claim', 'unanswered', 'move', 'find', 'unanswered', 'find'])
  expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'claimed', owner: null, attempts: 0 })
  expect(await bench.charged()).toBe(charged)
})

test('while it is not delivered, further signatures for the call write nothing', async () => {
  await bench.sell((await buyer.sign()).rawPayment)
  await bench.sell((await buyer.sign()).rawPayment)
  const { rawPayment } = await buyer.sign()
  const [sale, calls] = await callsOf(() => bench.sell(rawPayment))
  expect(sale).toMatchObject({ kind: 'sold', replayed: true })
  expect(calls).toEqual(['find', 'unanswered'])
})

test('a payment that another process has sold is answered from its row, not charged again', async () => {
  const replica = await bench.replica()
  await remember(replica)
  const { rawPayment } = await buyer.sign()
  delivered(await bench.sell(rawPayment))
  const charged = await bench.charged()
  const [sale, calls] = await callsOf(() => replica.sell(bench.call(), rawPayment))
  expect(sale).toMatchObject({ kind: 'sold', replayed: true })
  expect(calls.slice(0, 2)).toEqual(['claim', 'find'])
  expect(await bench.charged()).toBe(charged)
  const [, again] = await callsOf(() => replica.sell(bench.call(), rawPayment))
  expect(again[0]).toBe('find')
})

test('the same while money is paused: the row is read, and nothing is written', async () => {
  const replica = await bench.replica()
  await remember(replica)
  const { rawPayment } = await buyer.sign()
  delivered(await bench.sell(rawPayment))
  bench.money.flows = false
  const [paused, calls] = await callsOf(() => replica.sell(bench.call(), rawPayment))
  expect([paused.kind, calls[0]]).toEqual(['sold', 'find'])
})

test('a refusal of an earlier signature for the call is looked up on the chain first', async () => {
  const reply = { success: false, errorReason: 'invalid_network', transaction: '', network: 'eip155:8453' }
  bench.facilitator.script.push({ says: () => reply })
  expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject({ kind: 'unpaid' })
  const [sale, calls] = await callsOf(async () => bench.sell((await buyer.sign()).rawPayment))
  expect(sale).toMatchObject({ kind: 'sold', replayed: false })
  expect(calls.slice(0, 4)).toEqual(['claim', 'unanswered', 'move', 'find'])
  expect(calls).toContain('reclaim')
})

test('several new signatures at once for one call are charged once', async () => {
  const charged = await bench.charged()
  const signed = [await buyer.sign(), await buyer.sign(), await buyer.sign()]
  const sales = await Promise.all(signed.map(({ rawPayment }) => bench.sell(rawPayment)))
  expect(sales.map(({ kind }) => kind)).toEqual(['sold', 'sold', 'sold'])
  expect(await bench.charged()).toBe(charged + 1)
})

test('a payment identifier is looked up first, so that it answers from a sale that was delivered', async () => {
  const id = 'order-0123456789abcdef'
  delivered(await bench.sell((await buyer.sign({}, id)).rawPayment))
  await remember(bench.layer)
  const charged = await bench.charged()
  expect(await bench.sell((await buyer.sign({}, id)).rawPayment)).toMatchObject({
    kind: 'sold',
    replayed: true,
  })
  expect(await bench.charged()).toBe(charged)
})

test.each([
  ['for another price', async () => buyer.sign({ value: '999' }), 'payment_terms_mismatch'],
  [
    'that has expired',
    async () => buyer.sign({ validBefore: String(bench.clock.seconds() - 1) }),
    'payment_expired',
  ],
  ['with a bent identifier', async () => buyer.sign({}, 'short'), 'payment_malformed'],
] as const)('a payment %s is refused, and nothing is written', async (_, sign, code) => {
  const { rawPayment } = await sign()
  const [sale, calls] = await callsOf(() => bench.sell(rawPayment))
  expect(sale).toMatchObject({ kind: 'unpaid', code })
  expect(calls).not.toContain('claim')
})

test('while no payment is taken nothing is written', async () => {
  bench.money.flows = false
  const { rawPayment } = await buyer.sign()
  const [sale, calls] = await callsOf(() => bench.sell(rawPayment))
  expect(sale).toMatchObject({ code: 'facilitator_unavailable' })
  expect(calls).not.toContain('claim')
})
