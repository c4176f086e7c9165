/** Clients that know x402 version 1 only: they read their terms in band and pay with a version 1 payload. */
import { afterAll, describe, expect, it } from 'vitest'
import { asVersion1, fakePayment } from '../../support/a2a-double.ts'
import {
  asHeader,
  type Json,
  order,
  payingWith,
  paymentOf,
  payRequest,
  sendRequest,
  stateOf,
  taskOf,
  taskRequest,
  VERSIONS,
  verdictOf,
  X402_V01,
  X402_V02,
} from './a2a-client.ts'
import { startA2aService } from './a2a-service.ts'

const VALUE = 'DE89370400440532013000'
const ORDER = { parts: [order('iban', VALUE)] }

const service = await startA2aService()
afterAll(() => service.close())

const ask = async (version: '1.0' | '0.3', uris: string): Promise<Json> =>
  taskOf((await service.post(sendRequest(version, ORDER), { 'X-A2A-Extensions': uris })).json)

describe('the terms of an unpaid task', () => {
  it.each([
    ['0.3', X402_V01, 1],
    ['0.3', X402_V02, 2],
    ['0.3', `${X402_V01}, ${X402_V02}`, 2],
    ['1.0', X402_V01, 2],
    ['1.0', X402_V02, 2],
  ] as const)('over %s with %s are in x402 version %i', async (version, uris, expected) => {
    const task = await ask(version, uris)
    expect(paymentOf(task)['x402.payment.required'].x402Version).toBe(expected)
    // The task shows the same terms to every reader.
    expect((await service.post(taskRequest(version, 'get', task.id))).json.result).toEqual(task)
  })

  it('have every member that version 1 parsers ask for', async () => {
    const [terms] = paymentOf(await ask('0.3', X402_V01))['x402.payment.required'].accepts
    expect(terms).toMatchObject({
      scheme: 'exact',
      network: 'base',
      maxAmountRequired: '1000',
      resource: expect.stringMatching(/^https?:/),
      description: expect.any(String),
      mimeType: 'application/json',
      outputSchema: {},
      maxTimeoutSeconds: 120,
      extra: { name: 'USD Coin', version: '2' },
    })
  })
})

describe.each(VERSIONS)('a version 1 payload over %s', (version) => {
  const payment = () => {
    const required = service.double.quote.single(service.registry.all[0]!, 'a2a').required('payment_required')
    return fakePayment(required)
  }

  it('pays in band, in the first message or for a task, and is one sale in either version', async () => {
    const before = service.double.settlements
    const both = payment()
    const first = await service.post(
      sendRequest(version, { ...ORDER, metadata: payingWith(asVersion1(both)) }),
    )
    expect(verdictOf(taskOf(first.json)).valid).toBe(true)
    const again = await service.post(sendRequest(version, { ...ORDER, metadata: payingWith(both) }))
    expect(paymentOf(taskOf(again.json))['x402.payment.replayed']).toBe(true)
    expect(service.double.settlements).toBe(before + 1)

    const task = await ask(version, X402_V01)
    const paid = await service.post(payRequest(version, task.id, asVersion1(payment())))
    expect(stateOf(taskOf(paid.json))).toBe('COMPLETED')
  })

  it('pays in X-PAYMENT, and the receipt is in both headers', async () => {
    const { 'PAYMENT-SIGNATURE': text = '' } = asHeader(asVersion1(payment()))
    const reply = await service.post(sendRequest(version, ORDER), { 'X-PAYMENT': text })
    expect(stateOf(taskOf(reply.json))).toBe('COMPLETED')
    const [older, newer] = ['x-payment-response', 'payment-response'].map((name) =>
      JSON.parse(Buffer.from(reply.headers.get(name) ?? '', 'base64').toString()),
    )
    expect(older).toMatchObject({ success: true, network: 'base' })
    expect(newer).toMatchObject({ success: true, network: 'eip155:8453' })
  })
})
