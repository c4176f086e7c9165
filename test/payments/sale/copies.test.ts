import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { GOOD_IBAN, type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

const OTHER_IBAN = 'DE89 3704 0044 0532 0130 00'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

describe('copies of one payment at once', () => {
  test.each([20, 50])('%i of them give one settlement, one check run and one answer', async (copies) => {
    const buyer = await bench.buyer()
    const { rawPayment } = await buyer.sign()
    const sales = await Promise.all(Array.from({ length: copies }, () => bench.sell(rawPayment)))
    const answers = sales.map((sale) =>
      sale.kind === 'sold' ? JSON.stringify([sale.verdicts, sale.settlement]) : sale.code,
    )
    expect(new Set(answers).size).toBe(1)
    expect(sales.filter((sale) => sale.kind === 'sold' && !sale.replayed)).toHaveLength(1)
    expect(bench.facilitator.settled).toHaveLength(1)
    expect(bench.checkRuns()).toBe(1)
    expect(await bench.charged()).toBe(1)
  })

  test('beyond 64 waiters are asked to retry, not to pay', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    const release = bench.facilitator.hold()
    const sales = Array.from({ length: 70 }, () => bench.sell(rawPayment))
    const crowded = await Promise.all(sales.slice(65))
    expect(crowded).toEqual(
      Array.from({ length: 5 }, () => ({
        kind: 'declined',
        code: 'payment_in_doubt',
        retryAfterSeconds: 10,
      })),
    )
    release()
    for (const sale of await Promise.all(sales.slice(0, 65))) expect(sale).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('at a second process wait for the first and get the same answer', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    const replica = await bench.replica()
    const [here, there] = await Promise.all([bench.sell(rawPayment), replica.sell(bench.call(), rawPayment)])
    if (here.kind !== 'sold') throw new Error('not sold')
    expect(there).toMatchObject({ kind: 'sold', settlement: here.settlement })
    expect(bench.facilitator.settled).toHaveLength(1)
  })

  test('at a second process that waits too long are answered "in doubt"', async () => {
    await bench.stop()
    bench = await startSaleBench({ timing: { waitMs: 50 } })
    const { rawPayment } = await (await bench.buyer()).sign()
    const replica = await bench.replica()
    const release = bench.facilitator.hold()
    const first = bench.sell(rawPayment)
    await eventually(() => bench.facilitator.settled.length).toBe(1)
    expect(await replica.sell(bench.call(), rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    release()
    expect(await first).toMatchObject({ kind: 'sold' })
  })

  test('share a failure too', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.facilitator.script.push({ says: 'not_sent' })
    const sales = await Promise.all(Array.from({ length: 5 }, () => bench.sell(rawPayment)))
    for (const sale of sales)
      expect(sale).toMatchObject({ kind: 'declined', code: 'facilitator_unavailable' })
    expect(bench.facilitator.settled).toHaveLength(1)
  })
})

describe('one payment for two calls', () => {
  test.each([
    ['another value', () => bench.call(OTHER_IBAN)],
    ['another type', () => bench.call(GOOD_IBAN, 'email')],
    ['the value with a space behind', () => bench.call(`${GOOD_IBAN} `)],
  ])('%s is declined with 409 and learns nothing, at once and later', async (_, other) => {
    const { rawPayment } = await (await bench.buyer()).sign()
    const [first, second] = await Promise.all([bench.sell(rawPayment), bench.sell(rawPayment, other())])
    expect(first).toMatchObject({ kind: 'sold' })
    expect(second).toEqual({ kind: 'declined', code: 'payment_already_used', final: true })
    expect(await bench.sell(rawPayment, other())).toEqual({
      kind: 'declined',
      code: 'payment_already_used',
      final: true,
    })
    expect(await bench.charged()).toBe(1)
    expect(bench.facilitator.settled).toHaveLength(1)
  })

  test('is bound to type and value, not to the surface', async () => {
    const { rawPayment, nonce } = await (await bench.buyer()).sign()
    const first = await bench.sell(rawPayment)
    for (const surface of ['mcp', 'a2a'] as const) {
      expect(await bench.sell(rawPayment, bench.call(GOOD_IBAN, 'iban', surface))).toMatchObject({
        kind: 'sold',
        replayed: true,
        settlement: first.kind === 'sold' ? first.settlement : null,
      })
      expect(await bench.sell(rawPayment, bench.call(OTHER_IBAN, 'iban', surface))).toMatchObject({
        code: 'payment_already_used',
      })
    }
    expect(nonce).toBeDefined()
    expect(await bench.charged()).toBe(1)
  })

  test('a copy from another surface that is refused gets the terms of its own surface', async () => {
    const { rawPayment } = await (await bench.buyer(0n)).sign()
    const sales = await Promise.all([
      bench.sell(rawPayment),
      bench.sell(rawPayment, bench.call(GOOD_IBAN, 'iban', 'mcp')),
    ])
    const urls = sales.map((sale) =>
      sale.kind === 'unpaid' ? sale.quote.required('payment_required').resource?.url : sale,
    )
    expect(urls).toEqual(['https://checks.example/api/validate/iban', 'https://checks.example/mcp'])
  })

  test('two signatures under one nonce are one authorization: the second is another payment', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    const longer = await buyer.sign({ nonce, validBefore: String(bench.clock.seconds() + 300) })
    bench.facilitator.script.push({ says: 'unknown' }, { says: 'unknown', lands: 'after' })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    // Were it sent, it could land after the chain has said that the first one is dead.
    expect(await bench.sell(longer.rawPayment)).toEqual({ kind: 'declined', code: 'payment_already_used' })
    expect(bench.facilitator.settled).toHaveLength(1)
  })

  test('two signatures under one nonce are answered from the one that was settled', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    const longer = await buyer.sign({ nonce, validBefore: String(bench.clock.seconds() + 300) })
    const sale = await bench.sell(rawPayment)
    if (sale.kind !== 'sold') throw new Error(sale.code)
    expect(await bench.sell(longer.rawPayment)).toMatchObject({ replayed: true, settlement: sale.settlement })
    expect(await bench.sell(longer.rawPayment, bench.call(OTHER_IBAN))).toMatchObject({ final: true })
    expect(await bench.charged()).toBe(1)
  })
})
