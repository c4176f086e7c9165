import type { PaymentPayload } from '@x402/core/types'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { fakePayment } from '../../../../test/support/a2a-double.ts'
import { startRestDouble } from '../../../../test/support/rest-double.ts'
import { stubFetch, unstubFetch } from '../../../../test/support/stub-fetch.ts'
import { createListBuyer, type ListQuote } from '../../src/buyer/list-buyer.ts'

afterEach(() => {
  vi.useRealTimers()
  unstubFetch()
})

const AT_ONCE = { sends: 1, sleep: async () => {} }
const ibans = (...values: string[]) => values.map((value) => ({ type: 'iban', value }) as const)

async function buyerOfDouble(maxAmount = 1_000n) {
  const double = await startRestDouble()
  onTestFinished(double.stop)
  const buyer = createListBuyer({ url: double.url, maxAmount, type: 'iban' }, AT_ONCE)
  /** What comes of a list that is paid for by the terms in the quote of its length. */
  const buy = async (...values: string[]) => {
    const { required } = (await buyer.quote(ibans(...values))) as ListQuote
    return buyer.send(ibans(...values), fakePayment(required) as PaymentPayload)
  }
  return { double, buyer, buy }
}

test('asks for terms once per length, and again after a payment by them was refused', async () => {
  const { double, buy } = await buyerOfDouble()
  expect(await buy('A', 'B')).toMatchObject({ kind: 'sold', result: [{ type: 'iban' }, { type: 'iban' }] })
  expect((await buy('C', 'D')).kind).toBe('sold')
  expect(double.asked).toBe(1)
  await buy('A')
  expect(double.asked).toBe(2)
  double.payTo = `0x${'2'.repeat(40)}`
  expect((await buy('C', 'D')).kind).toBe('unpaid')
  expect((await buy('C', 'D')).kind).toBe('sold')
  expect(double.asked).toBe(3)
})

test('terms outlast a payment whose outcome is open', async () => {
  const { double, buy } = await buyerOfDouble()
  double.refusals.push({ status: 503, code: 'payment_in_doubt' })
  expect((await buy('A')).kind).toBe('in_doubt')
  expect((await buy('A')).kind).toBe('sold')
  expect(double.asked).toBe(1)
})

test('terms are asked for again after ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { double, buyer } = await buyerOfDouble()
  await buyer.quote(ibans('A'))
  vi.advanceTimersByTime(599_999)
  await buyer.quote(ibans('B'))
  expect(double.asked).toBe(1)
  vi.advanceTimersByTime(1)
  await buyer.quote(ibans('B'))
  expect(double.asked).toBe(2)
})

test('a list may cost the most of one value, times its length', async () => {
  const { buyer } = await buyerOfDouble()
  expect(await buyer.quote(ibans('A', 'B', 'C'))).toMatchObject({ kind: 'quoted', amount: 3_000n })
  const poor = await buyerOfDouble(999n)
  expect(await poor.buyer.quote(ibans('A', 'B', 'C'))).toMatchObject({
    ...{ kind: 'price_too_high', terms: { amount: '3000' } },
  })
})

test.each([
  ['iban', '/api/validate/iban/batch', { values: ['A', 'B'] }],
  [undefined, '/api/validate/batch', { items: ibans('A', 'B') }],
] as const)('a list of type %s is sent to %s', async (type, path, body) => {
  const sent: unknown[] = []
  stubFetch(async (url: URL, init: { body: string }) => {
    sent.push([url.pathname, JSON.parse(init.body)])
    throw new TypeError('reset')
  })
  const url = 'https://checks.example/'
  const quote = await createListBuyer({ url, type, maxAmount: 1n }).quote(ibans('A', 'B'))
  expect(quote).toEqual({ kind: 'unreachable', url })
  expect(sent).toEqual([[path, body]])
})
