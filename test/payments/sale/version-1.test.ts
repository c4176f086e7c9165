import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rawPaymentOf } from '../../support/bench-buyer.ts'
import { toVersion1 } from '../../support/payment-v1.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeAll(async () => {
  bench = await startSaleBench()
})
afterAll(() => bench.stop())

const orders = [
  ['version 1, then version 2', [1, 2]],
  ['version 2, then version 1', [2, 1]],
  ['version 1 twice', [1, 1]],
] as const

describe('an authorization in the envelope of version 1', () => {
  test.each(orders)('is one sale and one replay with %s', async (_, versions) => {
    const buyer = await bench.buyer()
    const { payload } = await buyer.sign()
    const before = await bench.charged()
    const sales = []
    for (const version of versions)
      sales.push(await bench.sell(rawPaymentOf(version === 1 ? toVersion1(payload) : payload)))
    expect(sales).toMatchObject([
      { kind: 'sold', replayed: false },
      { kind: 'sold', replayed: true },
    ])
    expect(await bench.charged()).toBe(before + 1)
  })

  test('is one sale when both envelopes arrive at once', async () => {
    const buyer = await bench.buyer()
    const { payload } = await buyer.sign()
    const before = await bench.charged()
    const sales = await Promise.all(
      [payload, toVersion1(payload), payload, toVersion1(payload)].map((each) =>
        bench.sell(rawPaymentOf(each)),
      ),
    )
    expect(sales.map(({ kind }) => kind)).toEqual(['sold', 'sold', 'sold', 'sold'])
    expect(await bench.charged()).toBe(before + 1)
  })

  test('is read as an object, too', async () => {
    const { payload } = await (await bench.buyer()).sign()
    const sale = await bench.sell({ kind: 'object', payload: toVersion1(payload) })
    expect(sale).toMatchObject({ kind: 'sold', replayed: false })
  })

  test('is refused for another call once it was used', async () => {
    const { payload } = await (await bench.buyer()).sign()
    await bench.sell(rawPaymentOf(toVersion1(payload)))
    const sale = await bench.sell(rawPaymentOf(toVersion1(payload)), bench.call('another value'))
    expect(sale).toMatchObject({ kind: 'declined', code: 'payment_already_used' })
  })

  const OTHER = `0x${'77'.repeat(20)}`
  test.each([
    ['another network', { network: 'base-sepolia' }, {}, 'payment_terms_mismatch'],
    ['the network as version 2 names it', { network: 'eip155:8453' }, {}, 'payment_terms_mismatch'],
    ['another scheme', { scheme: 'upto' }, {}, 'payment_terms_mismatch'],
    ['another payee', {}, { to: OTHER }, 'payment_terms_mismatch'],
    ['a smaller amount', {}, { value: '999' }, 'payment_terms_mismatch'],
    ['no scheme', { scheme: undefined }, {}, 'payment_malformed'],
    ['a network that is a number', { network: 8453 }, {}, 'payment_malformed'],
    ['no payload', { payload: undefined }, {}, 'payment_malformed'],
    ['a payload that is a list', { payload: [] }, {}, 'payment_malformed'],
    ['a payload without authorization', { payload: {} }, {}, 'payment_terms_mismatch'],
    ['a nonce that is no hex', {}, { nonce: 'x' }, 'payment_malformed'],
    ['a payer who did not sign', {}, { from: OTHER }, 'payment_invalid_signature'],
  ])('is refused with %s, and nothing is charged', async (_, envelope, members, code) => {
    const { payload } = await (await bench.buyer()).sign()
    const older = toVersion1(payload)
    Object.assign(older.payload.authorization as object, members)
    const before = await bench.charged()
    expect(await bench.sell(rawPaymentOf({ ...older, ...envelope }))).toMatchObject({ kind: 'unpaid', code })
    expect(await bench.charged()).toBe(before)
  })
})
