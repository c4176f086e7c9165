/** Lists over REST: one payment for up to 1,000 values. */
import { isPaymentRequiredV1 } from '@x402/core/schemas'
import type { PaymentRequired } from '@x402/core/types'
import { validateDiscoveryExtension, validateDiscoveryExtensionSpec } from '@x402/extensions/bazaar'
import { CHECKS } from 'format-checker-checks/internal/checks'
import supertest, { type Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signPayment } from '../../support/chain-payments.ts'
import { encodeHeader } from '../../support/payment-header.ts'
import { toVersion1 } from '../../support/payment-v1.ts'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const IBANS = ['DE89370400440532013000', 'nonsense', 'PL61109010140000071219812874']
const ITEMS = [
  { type: 'iban', value: 'DE89370400440532013000' },
  { type: 'email', value: 'someone@example.com' },
]

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  supertest(service.url)
    .post(`/api/validate/${path}`)
    .set({ 'Content-Type': 'application/json', ...headers })
    .send(typeof body === 'string' ? body : JSON.stringify(body))

const termsIn = (response: Response): PaymentRequired =>
  JSON.parse(Buffer.from(response.headers['payment-required'] ?? '', 'base64').toString())

/** Signs what an unpaid call was quoted. */
async function payFor(path: string, body: unknown) {
  const { accepts } = termsIn(await post(path, body))
  const [terms] = accepts
  if (terms === undefined) throw new Error('no terms')
  return (await signPayment(service.buyer, terms, {})).payload
}

describe('an unpaid list', () => {
  it.each([
    ['iban/batch', { values: IBANS }, '3000', '$0.003'],
    ['batch', { items: ITEMS }, '2000', '$0.002'],
    ['iban/batch', { values: Array.from({ length: 1000 }, () => 'x') }, '1000000', '$1'],
  ])('%s is quoted for its number of values', async (path, body, amount, price) => {
    const response = await post(path, body)
    expect(response.status).toBe(402)
    const { accepts, resource } = termsIn(response)
    expect(accepts[0]?.amount).toBe(amount)
    expect(resource?.url).toBe(`${service.url}/api/validate/${path}`)
    const problem = response.body as { price: string; accepts: { maxAmountRequired: string }[] }
    expect(problem.price).toBe(price)
    expect(problem.accepts[0]?.maxAmountRequired).toBe(amount)
    expect(isPaymentRequiredV1(problem)).toBe(true)
  })

  it.each([
    'iban/batch',
    'batch',
  ])('%s without a body is quoted for one, and says how to call', async (path) => {
    const response = await post(path, '')
    expect(response.status).toBe(402)
    const { accepts, extensions } = termsIn(response)
    expect(accepts[0]?.amount).toBe('1000')
    const { bazaar } = extensions as { bazaar: Parameters<typeof validateDiscoveryExtension>[0] }
    expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true })
    expect(validateDiscoveryExtensionSpec(bazaar as unknown as Record<string, unknown>)).toEqual({
      valid: true,
    })
  })
})

describe('a paid list', () => {
  it('answers each value as a single call would, in order, for one payment', async () => {
    const before = await service.books()
    const payload = await payFor('iban/batch', { values: IBANS })
    const response = await post(
      'iban/batch',
      { values: IBANS },
      { 'PAYMENT-SIGNATURE': encodeHeader(payload) },
    )
    expect(response.status).toBe(200)
    expect(response.text).toBe(
      JSON.stringify({ count: 3, valid: 2, invalid: 1, results: IBANS.map((value) => CHECKS.iban(value)) }),
    )
    const after = await service.books()
    expect([after.rows - before.rows, after.payee - before.payee]).toEqual([1, 3000n])
  })

  it('may mix types, and may be paid in version 1', async () => {
    const payload = await payFor('batch', { items: ITEMS })
    const response = await post('batch', { items: ITEMS }, { 'X-PAYMENT': encodeHeader(toVersion1(payload)) })
    expect(response.status).toBe(200)
    expect(response.headers).toHaveProperty('x-payment-response')
    const { results } = response.body as { results: unknown[] }
    expect(results).toEqual([CHECKS.iban('DE89370400440532013000'), CHECKS.email('someone@example.com')])
  })
})

describe('a list out of form', () => {
  const CANARY = 'CANARY-5260250274'
  it.each<[string, string, unknown, number, string, number?]>([
    ['has items for values', 'iban/batch', { items: ITEMS }, 400, 'list_missing'],
    ['has values for items', 'batch', { values: [CANARY] }, 400, 'list_missing'],
    ['mixes both shapes', 'batch', { items: ITEMS, values: [CANARY] }, 400, 'list_missing'],
    ['is a single value', 'iban/batch', { value: CANARY }, 400, 'list_missing'],
    ['is an array', 'batch', [CANARY], 400, 'list_missing'],
    ['has an item that is a text', 'batch', { items: [...ITEMS, CANARY] }, 400, 'item_not_an_object', 2],
    ['has an item without a value', 'batch', { items: [{ type: 'iban' }] }, 400, 'value_missing', 0],
    [
      'has an item with more',
      'batch',
      { items: [{ type: 'iban', value: 'x', more: CANARY }] },
      400,
      'unknown_field',
      0,
    ],
    ['is 2 MB', 'batch', `{"items":[${' '.repeat(2_000_000)}]}`, 413, 'body_too_large'],
    ['is of an unknown type', 'us-ssn/batch', { values: [CANARY] }, 404, 'unknown_type'],
  ])('that %s costs nothing and shows no value', async (_what, path, body, status, code, index) => {
    const before = await service.books()
    const payment = { 'PAYMENT-SIGNATURE': await service.pay() }
    const response = await post(path, body, payment)
    const text = response.text
    expect([response.status, JSON.parse(text).code, JSON.parse(text).index]).toEqual([status, code, index])
    // What is said of a single body would be untrue of an item.
    if (index !== undefined) expect(JSON.parse(text).detail).not.toMatch(/^The (?:body|member)/)
    expect(text).not.toContain('CANARY')
    expect(service.logged.join('')).not.toContain('CANARY')
    expect(await service.books()).toEqual(before)
  })
})

it('a body may have 1 MB to the byte', async () => {
  const body = JSON.stringify({ items: ITEMS }).padEnd(1_048_576)
  expect((await post('batch', body)).status).toBe(402)
  expect((await post('batch', `${body} `)).status).toBe(413)
})
