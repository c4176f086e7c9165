import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { type SaleBench, startSaleBench } from '../../../support/sale-bench.ts'

const ID = 'order-0123456789abcdef'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

const conflict = { kind: 'declined', code: 'payment_identifier_conflict' }

describe('a payment identifier', () => {
  test('makes a new authorization for the same call a repeat: answered, not settled', async () => {
    const buyer = await bench.buyer()
    const first = await bench.sell((await buyer.sign({}, ID)).rawPayment)
    if (first.kind !== 'sold') throw new Error(first.code)
    first.delivered()
    const second = await bench.sell((await buyer.sign({}, ID)).rawPayment)
    expect(second).toMatchObject({ kind: 'sold', replayed: true, settlement: first.settlement })
    expect(await bench.charged()).toBe(1)
  })

  test('is refused for another call, and that call is not settled', async () => {
    const buyer = await bench.buyer()
    await bench.sell((await buyer.sign({}, ID)).rawPayment)
    for (const call of [bench.call('other'), bench.call(undefined, 'email')])
      expect(await bench.sell((await buyer.sign({}, ID)).rawPayment, call)).toEqual(conflict)
    expect(await bench.charged()).toBe(1)
  })

  test('of one payer means nothing from another', async () => {
    await bench.sell((await (await bench.buyer()).sign({}, ID)).rawPayment)
    const other = await bench.buyer()
    expect(await bench.sell((await other.sign({}, ID)).rawPayment, bench.call('other'))).toMatchObject({
      kind: 'sold',
    })
    expect(await bench.charged()).toBe(2)
  })

  test.each([
    ['null', null],
    ['a text', 'x'],
    ['a list', []],
    ['without info', {}],
    ['with a null info', { info: null }],
    ['without an id', { info: { required: false } }],
    ['with a null id', { info: { required: false, id: null } }],
    ['with a schema of its own', { info: { required: false }, schema: { pattern: '(a+)+$' } }],
  ])('is not required: an extension that holds none is accepted, %s', async (_, extension) => {
    const buyer = await bench.buyer()
    const { payload } = await buyer.sign()
    const extensions = { 'payment-identifier': extension }
    expect(await bench.sell({ kind: 'object', payload: { ...payload, extensions } })).toMatchObject({
      kind: 'sold',
    })
  })

  test.each([
    ['a number', 5],
    ['an object', {}],
    ['empty', ''],
    ['of 15 characters', 'order-2026-0001'],
    ['of 129 characters', 'x'.repeat(129)],
    ['with blanks and slashes', 'invoice 2026/11/0001/AB'],
    ['with odd characters', '<script>-0123456789'],
    ['with a line break at its end', `${ID}\n`],
  ])('out of form is refused before anything is charged: %s', async (_, id) => {
    const buyer = await bench.buyer()
    const { payload } = await buyer.sign()
    // A client's own schema is never compiled: this one would admit every id.
    const extensions = { 'payment-identifier': { info: { required: false, id }, schema: {} } }
    for (const sent of [payload, (await buyer.sign()).payload])
      expect(await bench.sell({ kind: 'object', payload: { ...sent, extensions } })).toMatchObject({
        kind: 'unpaid',
        code: 'payment_malformed',
      })
    expect(await bench.charged()).toBe(0)
    expect(bench.facilitator.settled).toEqual([])
    // Nothing was claimed either: the same authorization pays once its identifier is in form.
    const corrected = { 'payment-identifier': { info: { required: false, id: ID }, schema: {} } }
    expect(
      await bench.sell({ kind: 'object', payload: { ...payload, extensions: corrected } }),
    ).toMatchObject({ kind: 'sold', replayed: false })
  })

  test.each([
    ['16', 'order-2026-00001'],
    ['128', 'x'.repeat(128)],
  ])('may have %s characters', async (_, id) => {
    const buyer = await bench.buyer()
    for (const replayed of [false, true])
      expect(await bench.sell((await buyer.sign({}, id)).rawPayment)).toMatchObject({
        kind: 'sold',
        replayed,
      })
    expect(await bench.charged()).toBe(1)
  })

  test('is not looked up without a good signature', async () => {
    const buyer = await bench.buyer()
    await bench.sell((await buyer.sign({}, ID)).rawPayment)
    const { payload } = await buyer.sign({}, ID)
    const signed = String(payload.payload.signature)
    const signature = `${signed.slice(0, -2)}${signed.endsWith('1b') ? '1c' : '1b'}`
    const forged = { ...payload, payload: { ...payload.payload, signature } }
    expect(await bench.sell({ kind: 'object', payload: forged })).toMatchObject({
      code: 'payment_invalid_signature',
    })
  })

  test('holds while the first payment is still being settled', async () => {
    const buyer = await bench.buyer()
    const release = bench.facilitator.hold()
    const first = bench.sell((await buyer.sign({}, ID)).rawPayment)
    await eventually(() => bench.facilitator.settled.length).toBe(1)
    const second = bench.sell((await buyer.sign({}, ID)).rawPayment)
    await eventually(
      () => bench.storeCalls.filter((call) => call === 'findByIdentifier').length,
    ).toBeGreaterThan(2)
    release()
    expect([await first, await second].map((sale) => sale.kind)).toEqual(['sold', 'sold'])
    expect(await bench.charged()).toBe(1)
  })

  test('holds among new authorizations that come at once, here and at a replica', async () => {
    const buyer = await bench.buyer()
    const replica = await bench.replica()
    const rawPayments = await Promise.all(
      Array.from({ length: 8 }, async () => (await buyer.sign({}, ID)).rawPayment),
    )
    const sales = await Promise.all(
      rawPayments.map((rawPayment, index) =>
        index % 2 === 0 ? bench.sell(rawPayment) : replica.sell(bench.call(), rawPayment),
      ),
    )
    expect(await bench.charged()).toBe(1)
    for (const sale of sales)
      expect(['sold', 'payment_in_doubt']).toContain(sale.kind === 'sold' ? 'sold' : sale.code)
    for (const rawPayment of rawPayments) expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('holds although an earlier payment under it was refused', async () => {
    const buyer = await bench.buyer(0n)
    const refused = await buyer.sign({}, ID)
    expect(await bench.sell(refused.rawPayment)).toMatchObject({ code: 'payment_insufficient_funds' })
    await bench.chain.fund(buyer.address, 10_000n)
    expect(await bench.sell((await buyer.sign({}, ID)).rawPayment)).toMatchObject({
      kind: 'sold',
      replayed: false,
    })
    expect(await bench.sell((await buyer.sign({}, ID)).rawPayment)).toMatchObject({
      kind: 'sold',
      replayed: true,
    })
    expect(await bench.charged()).toBe(1)
  })

  test('is forgotten with the replay window', async () => {
    const buyer = await bench.buyer()
    await bench.sell((await buyer.sign({}, ID)).rawPayment)
    bench.clock.advance(86_401_000)
    await bench.purge()
    expect(await bench.sell((await buyer.sign({}, ID)).rawPayment, bench.call('other'))).toMatchObject({
      kind: 'sold',
      replayed: false,
    })
  })
})
