import type { Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import { publicStateOf } from '../../../src/payments/ports/payment-state.ts'
import { eventually } from '../../support/eventually.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

const IN_DOUBT = { kind: 'declined', code: 'payment_in_doubt' }

describe('a buyer who signs again', () => {
  test('after a reply that never left is answered from what they have paid, for 24 hours', async () => {
    const buyer = await bench.buyer()
    const first = await bench.sell((await buyer.sign()).rawPayment)
    bench.clock.advance(24 * 3_600_000 - 5_000)
    await bench.restart()
    const again = await bench.sell((await buyer.sign()).rawPayment)
    expect(again).toMatchObject({
      kind: 'sold',
      replayed: true,
      settlement: first.kind === 'sold' ? first.settlement : null,
    })
    bench.clock.advance(10_000)
    expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
    expect(await bench.charged()).toBe(2)
  })

  test('while the first settlement is under way waits for it and gets its answer', async () => {
    const buyer = await bench.buyer()
    const release = bench.facilitator.hold()
    const first = bench.sell((await buyer.sign()).rawPayment)
    await eventually(() => bench.facilitator.settled.length).toBe(1)
    const replica = await bench.replica()
    const others = [
      bench.sell((await buyer.sign()).rawPayment),
      replica.sell(bench.call(), (await buyer.sign()).rawPayment),
    ]
    await eventually(() => bench.storeCalls.filter((call) => call === 'unanswered').length).toBeGreaterThan(3)
    release()
    const sale = await first
    for (const other of others)
      expect(await other).toMatchObject({
        kind: 'sold',
        replayed: true,
        settlement: sale.kind === 'sold' ? sale.settlement : null,
      })
    expect(bench.facilitator.settled).toHaveLength(1)
    expect(await bench.charged()).toBe(1)
  })

  test('side by side leaves authorizations that say they were not needed, and buy another call if sent again', async () => {
    const buyer = await bench.buyer()
    const replica = await bench.replica()
    const payments = await Promise.all(Array.from({ length: 10 }, () => buyer.sign()))
    const sales = await Promise.all(
      payments.map(({ rawPayment }, index) =>
        index % 2 === 0 ? bench.sell(rawPayment) : replica.sell(bench.call(), rawPayment),
      ),
    )
    for (const sale of sales) if (sale.kind === 'sold') sale.delivered()
    const rows = await Promise.all(payments.map(({ nonce }) => bench.row(buyer, nonce).catch(() => null)))
    const unsold = rows.filter((row) => row !== null && row.state !== 'settled')
    expect(unsold.length).toBeGreaterThan(0)
    for (const row of unsold)
      expect(publicStateOf(row as PaymentRow)).toEqual({
        state: 'not_needed',
        detail: expect.stringContaining('sending it again buys another call'),
      })
    const settled = payments[rows.findIndex((row) => row?.state === 'settled')]
    await eventually(async () => (await bench.row(buyer, settled?.nonce as Hex)).deliveredAt).not.toBeNull()
    bench.clock.advance(1)
    const one = payments[rows.indexOf(unsold[0] as PaymentRow)] as (typeof payments)[number]
    expect(await bench.sell(one.rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
    expect(publicStateOf(await bench.row(buyer, one.nonce))).toMatchObject({ state: 'settled' })
    expect(await bench.charged()).toBe(2)
  })

  test('after one that was not sent finds it claimed, not unneeded', async () => {
    const buyer = await bench.buyer()
    bench.facilitator.script.push({ says: 'not_sent' })
    const { rawPayment, nonce } = await buyer.sign()
    await bench.sell(rawPayment)
    expect(publicStateOf(await bench.row(buyer, nonce))).toEqual({ state: 'claimed' })
  })

  test('ten times at the same moment, on two replicas, is charged once', async () => {
    const buyer = await bench.buyer()
    const replica = await bench.replica()
    const payments = await Promise.all(Array.from({ length: 10 }, () => buyer.sign()))
    const sales = await Promise.all(
      payments.map(({ rawPayment }, index) =>
        index % 2 === 0 ? bench.sell(rawPayment) : replica.sell(bench.call(), rawPayment),
      ),
    )
    for (const sale of sales) expect(sale).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('after a refusal that was wrong is answered from it, and charged once', async () => {
    const buyer = await bench.buyer()
    const says = () => ({ success: false, errorReason: 'invalid_network', transaction: '' })
    bench.facilitator.script.push({ lands: 'before', says })
    expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject({ kind: 'unpaid' })
    expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(1)
  })

  test('after a reply that did leave buys again', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    const first = await bench.sell(rawPayment)
    if (first.kind === 'sold') first.delivered()
    await eventually(async () => (await bench.row(buyer, nonce)).deliveredAt).not.toBeNull()
    expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
    expect(await bench.charged()).toBe(2)
  })

  test('in the millisecond in which the first answer leaves is answered from it', async () => {
    const buyer = await bench.buyer()
    const [one, other] = [await buyer.sign(), await buyer.sign()]
    const first = await bench.sell(one.rawPayment)
    if (first.kind !== 'sold') throw new Error(first.code)
    first.delivered()
    await eventually(async () => (await bench.row(buyer, one.nonce)).deliveredAt).toBe(bench.clock.now())
    expect(await bench.layer.sell(bench.call(), other.rawPayment)).toMatchObject({
      kind: 'sold',
      replayed: true,
    })
    expect(await bench.charged()).toBe(1)
  })

  test('for another value, another type, or as another payer buys', async () => {
    const [buyer, other] = [await bench.buyer(), await bench.buyer()]
    await bench.sell((await buyer.sign()).rawPayment)
    await bench.sell((await buyer.sign()).rawPayment, bench.call('other'))
    await bench.sell((await buyer.sign()).rawPayment, bench.call(undefined, 'email'))
    await bench.sell((await other.sign()).rawPayment)
    expect(await bench.charged()).toBe(4)
  })

  test('is answered although many other replies to them were lost since', async () => {
    const buyer = await bench.buyer()
    await bench.sell((await buyer.sign()).rawPayment)
    const others = Array.from({ length: 30 }, async (_, index) =>
      bench.sell((await buyer.sign()).rawPayment, bench.call(`value ${index}`)),
    )
    await Promise.all(others)
    expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(31)
  })

  test('with a bad signature gets nothing', async () => {
    const [buyer, thief] = [await bench.buyer(), await bench.buyer()]
    await bench.sell((await buyer.sign()).rawPayment)
    const { rawPayment } = await thief.sign({ from: buyer.address })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_invalid_signature' })
  })

  test('while the first is in doubt learns so, and is charged once', async () => {
    const buyer = await bench.buyer()
    bench.facilitator.script.push({ lands: 'after', says: 'unknown' })
    expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject(IN_DOUBT)
    const second = await buyer.sign()
    expect(await bench.sell(second.rawPayment)).toMatchObject(IN_DOUBT)
    await bench.facilitator.landLate()
    expect(await bench.sell(second.rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(1)
  })

  test('while the first is being sent again does not take it away from who sends it', async () => {
    const buyer = await bench.buyer()
    const first = await buyer.sign()
    bench.facilitator.script.push({ says: 'unknown' })
    await bench.sell(first.rawPayment)
    const release = bench.facilitator.hold()
    const resent = bench.sell(first.rawPayment)
    await eventually(() => bench.facilitator.settled.length).toBe(2)
    const before = await bench.row(buyer, first.nonce)
    const again = bench.sell((await buyer.sign()).rawPayment)
    await eventually(() => bench.storeCalls.filter((call) => call === 'unanswered').length).toBeGreaterThan(2)
    expect(await bench.row(buyer, first.nonce)).toEqual(before)
    release()
    expect(await resent).toMatchObject({ kind: 'sold' })
    expect(await again).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(1)
  })

  test('after the first has died buys with the new one, at once', async () => {
    const buyer = await bench.buyer()
    bench.facilitator.script.push({ says: 'unknown' })
    await bench.sell((await buyer.sign()).rawPayment)
    bench.clock.advance(125_000)
    expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
    expect(await bench.charged()).toBe(1)
  })

  test('after a crash in the middle of settling is charged once', async () => {
    const buyer = await bench.buyer()
    bench.facilitator.script.push({ lands: 'before', says: 'nothing' })
    void bench.sell((await buyer.sign()).rawPayment)
    await eventually(() => bench.charged()).toBe(1)
    await bench.restart()
    bench.clock.advance(31_000)
    expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(1)
  })

  test('is answered from an earlier payment while money is paused', async () => {
    const buyer = await bench.buyer()
    await bench.sell((await buyer.sign()).rawPayment)
    bench.money.flows = false
    expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
  })
})
