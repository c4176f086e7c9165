import type { CheckType } from 'format-checker-checks/verdict'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Items, ValueCall } from '../../../src/payments/ports/sale.ts'
import { GOOD_IBAN, type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

function list(values: readonly string[], type: CheckType | 'mixed' = 'iban'): ValueCall {
  const items = values.map((value) => bench.call(value, type === 'mixed' ? 'email' : type).items[0])
  return { kind: 'value', shape: 'list', type, items: items as unknown as Items, surface: 'rest' }
}
const signFor = async (items: number) => (await bench.buyer()).sign({ value: String(items * 1_000) })
/** The terms a client accepts for a list say the price of the list. */
const sell = async (call: ValueCall) => {
  const buyer = await bench.buyer()
  const quote = await bench.layer.quotes.of({ ...call, items: call.items.length }, 'rest')
  const [accepted] = quote.required('payment_required').accepts
  const { payload, nonce } = await buyer.sign({ value: accepted?.amount as string })
  const rawPayment = { kind: 'object', payload: { ...payload, accepted } } as const
  return { buyer, nonce, rawPayment, sale: await bench.sell(rawPayment, call) }
}

describe('a list', () => {
  test('is quoted for its number of values, once per number, at its own address', async () => {
    const first = await bench.sell({ kind: 'none' }, list(['a', 'b', 'c']))
    const second = await bench.sell({ kind: 'none' }, list(['d', 'e', 'f']))
    if (first.kind !== 'unpaid' || second.kind !== 'unpaid') throw new Error('not quoted')
    expect(first.quote.required('payment_required')).toMatchObject({
      resource: { url: 'https://checks.example/api/validate/iban/batch' },
      accepts: [{ amount: '3000' }],
    })
    expect(second.quote).toBe(first.quote)
  })

  test('is refused in terms that are written once for each reason', async () => {
    const sale = await bench.sell({ kind: 'none' }, list(['a', 'b']))
    if (sale.kind !== 'unpaid') throw new Error('not quoted')
    const { quote } = sale
    expect(quote.required('payment_expired')).toBe(quote.required('payment_expired'))
    expect(quote.required('payment_expired')).not.toBe(quote.required('payment_refused'))
  })

  test('is sold with one payment, one settlement, and a verdict per value in order', async () => {
    const { sale, buyer, nonce, rawPayment } = await sell(list([GOOD_IBAN, 'x', GOOD_IBAN]))
    expect(sale).toMatchObject({
      kind: 'sold',
      verdicts: [{ valid: true }, { valid: false }, { valid: true }],
    })
    expect(bench.facilitator.settled).toHaveLength(1)
    expect(await bench.charged()).toBe(3)
    expect(await bench.row(buyer, nonce)).toMatchObject({
      ...{ shape: 'list', items: 3, amount: 3_000n, checkType: 'iban', state: 'settled' },
    })
    expect(await bench.sell(rawPayment, list([GOOD_IBAN, 'x', GOOD_IBAN]))).toMatchObject({
      kind: 'sold',
      replayed: true,
      settlement: sale.kind === 'sold' ? sale.settlement : null,
    })
  })

  test('is another call in another order, cut otherwise, or longer', async () => {
    const { rawPayment } = await sell(list(['ab', 'c']))
    for (const other of [['c', 'ab'], ['a', 'bc'], ['ab', 'c', ''], ['abc']])
      expect(await bench.sell(rawPayment, list(other))).toMatchObject({ code: 'payment_already_used' })
  })

  test('of one value is not a single call, nor the other way round', async () => {
    const { rawPayment } = await sell(list([GOOD_IBAN]))
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_already_used' })
    const single = await (await bench.buyer()).sign()
    await bench.sell(single.rawPayment)
    expect(await bench.sell(single.rawPayment, list([GOOD_IBAN]))).toMatchObject({
      code: 'payment_already_used',
    })
  })

  test('is not sold for the price of another number of values', async () => {
    const { rawPayment } = await signFor(2)
    expect(await bench.sell(rawPayment, list(['a', 'b', 'c']))).toMatchObject({
      kind: 'unpaid',
      code: 'payment_terms_mismatch',
    })
    expect(bench.facilitator.settled).toHaveLength(0)
  })

  test('of several types has its own address', async () => {
    const { sale } = await sell(list(['a@b.example', 'x'], 'mixed'))
    expect(sale).toMatchObject({ kind: 'sold', verdicts: [{ type: 'email' }, { type: 'email' }] })
    const quoted = await bench.sell({ kind: 'none' }, list(['x'], 'mixed'))
    if (quoted.kind !== 'unpaid') throw new Error(quoted.kind)
    expect(quoted.quote.required('payment_required').resource?.url).toBe(
      'https://checks.example/api/validate/batch',
    )
  })

  test('can be held under a task and paid for later', async () => {
    const call = {
      ...list([GOOD_IBAN, 'x']),
      surface: 'a2a',
      task: { pendingOrder: 'pendingOrder' },
    } as const
    const held = await bench.layer.holdVerdict(call)
    if (held.kind !== 'withheld') throw new Error(held.kind)
    const [accepted] = held.quote.required('payment_required').accepts
    const { payload } = await (await bench.buyer()).sign({ value: accepted?.amount as string })
    const sale = await bench.layer.sell(
      { kind: 'sealed', surface: 'a2a', client: 'c', taskId: held.taskId },
      { kind: 'object', payload: { ...payload, accepted } },
    )
    expect(sale).toMatchObject({ kind: 'sold', verdicts: [{ valid: true }, { valid: false }] })
    expect(await bench.layer.tasks.read(held.taskId)).toMatchObject({
      state: 'sold',
      verdicts: [{ valid: true }, { valid: false }],
    })
  })
})
