/** Requests that bring no money are limited per address; those that pay, and looks at tasks, are not held up. */
import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'
import { a2aDouble, fakePayment, quoteFor } from '../../support/a2a-double.ts'
import { asHeader, IN_BAND, order, paying, sendRequest, stateOf, taskOf, taskRequest } from './a2a-client.ts'
import { type A2aService, startA2aService } from './a2a-service.ts'

const ORDER = { parts: [order('iban', 'DE89370400440532013000')] }

describe('the limit of unpaid requests', () => {
  let service: A2aService
  beforeEach(async () => {
    service = await startA2aService({ unpaidPerMinute: 3 })
  })
  afterEach(() => service.close())

  const required = () =>
    service.double.quote.single(service.registry.all[0]!, 'a2a').required('payment_required')

  it.each([
    ['help', () => service.post(sendRequest('1.0', { parts: [{ text: 'hi' }] }))],
    ['a 402', () => service.post(sendRequest('1.0', ORDER))],
    ['an unpaid task', () => service.post(sendRequest('1.0', ORDER), IN_BAND)],
    ['a bad request', () => service.post(sendRequest('1.0', { parts: [order('nope', '')] }))],
    ['broken JSON', () => service.post('{')],
    [
      'an unknown task',
      () => service.post(taskRequest('1.0', 'get', 'b9f5c1de-6a4f-4a3e-8f4e-111111111111')),
    ],
  ])('counts %s, and answers with 429 in JSON beyond it', async (_, ask) => {
    for (let n = 0; n < 3; n++) expect((await ask()).status).not.toBe(429)
    const reply = await ask()
    expect(reply.status).toBe(429)
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(reply.json).toMatchObject({
      jsonrpc: '2.0',
      error: { code: 429, data: [{ reason: 'TOO_MANY_REQUESTS' }] },
    })
  })

  it('names the request whose body was read, and none before', async () => {
    const body = sendRequest('1.0', { parts: [{ text: 'hi' }] })
    for (let n = 0; n < 3; n++) await service.post(body)
    const { json } = await service.post(body)
    expect(json).toMatchObject({ id: (body as { id: unknown }).id, error: { code: 429 } })
    const value = 'DE89370400440532013000'
    const spelt = sendRequest('1.0', { parts: [order('iban', value)], id: value })
    expect((await service.post(spelt)).json).toMatchObject({ id: null, error: { code: 429 } })
    expect((await service.post('{')).json).toMatchObject({ id: null, error: { code: 429 } })
  })

  it('does not hold up those who pay, in either way', async () => {
    for (let n = 0; n < 4; n++) await service.post(sendRequest('1.0', ORDER))
    const byHeader = await service.post(sendRequest('1.0', ORDER), asHeader(fakePayment(required())))
    expect(byHeader.status).toBe(200)
    const inBand = await service.post(sendRequest('0.3', { ...ORDER, metadata: paying(required()) }))
    expect(stateOf(taskOf(inBand.json))).toBe('COMPLETED')
  })

  it('counts each message to an unpaid task that brings no payment', async () => {
    const { id } = taskOf((await service.post(sendRequest('1.0', ORDER), IN_BAND)).json)
    const ask = async () =>
      (await service.post(sendRequest('1.0', { taskId: id, parts: [{ text: 'Well?' }] }), IN_BAND)).status
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429])
  })

  it.each([
    ['in band', () => ({ metadata: paying(required()) }), () => ({})],
    ['by header', () => ({}), () => asHeader(fakePayment(required()))],
  ] as const)('counts each payment %s for a task that has failed', async (_, change, headers) => {
    const { id } = taskOf((await service.post(sendRequest('1.0', ORDER), IN_BAND)).json)
    const pay = async () =>
      (await service.post(sendRequest('1.0', { taskId: id, parts: [], ...change() }), headers())).status
    service.double.script.push('payment_expired')
    await service.post(sendRequest('1.0', { taskId: id, parts: [], metadata: paying(required()) }))
    expect([await pay(), await pay(), await pay()]).toEqual([200, 200, 429])
  })

  it('does not count a look at a task', async () => {
    const { id } = taskOf((await service.post(sendRequest('1.0', ORDER), IN_BAND)).json)
    for (let n = 0; n < 10; n++) expect((await service.post(taskRequest('1.0', 'get', id))).status).toBe(200)
  })

  it.each([
    ['by header', 402, () => service.post(sendRequest('1.0', ORDER), asHeader(fakePayment(required())))],
    ['in band', 200, () => service.post(sendRequest('1.0', { ...ORDER, metadata: paying(required()) }))],
  ])('counts payments that are refused %s, but not our own trouble', async (_, refused, pay) => {
    for (let n = 0; n < 6; n++) {
      service.double.script.push('facilitator_unavailable')
      expect((await pay()).status).toBe(503)
    }
    for (let n = 0; n < 3; n++) {
      service.double.script.push('payment_refused')
      expect((await pay()).status).toBe(refused)
    }
    expect((await pay()).status).toBe(429)
    expect(service.double.settlements).toBe(0)
  })

  it.each([
    ['100 bytes', { 'Content-Length': '100' }, 'keep-alive'],
    ['unknown length', { 'Transfer-Encoding': 'chunked' }, 'close'],
  ])('comes before the body: a blocked address is answered while %s are still on the way', async (_, length, connection) => {
    const pay = () => service.post(sendRequest('1.0', ORDER), asHeader(fakePayment(required())))
    for (let n = 0; n < 3; n++) {
      service.double.script.push('payment_refused')
      await pay()
    }
    const answered = await new Promise((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json', ...length }
      const req = request({ port: service.port, path: '/a2a', method: 'POST', headers }, (res) => {
        resolve([res.statusCode, res.headers.connection])
        req.destroy()
      })
      req.on('error', reject)
      req.flushHeaders()
    })
    expect(answered).toEqual([429, connection])
  })
})

it('counts a list by its values also if its task waits because a voucher was out of step', async () => {
  const quote = quoteFor({ summary: '' }, 30)
  const double = a2aDouble({ storeUnavailable: () => new StoreUnavailable('down') })
  const service = await startA2aService({
    unpaidPerMinute: 3,
    sales: { ...double, sell: async () => ({ kind: 'unpaid', code: 'channel_out_of_step', quote }) },
  })
  const list = {
    parts: [{ data: { skill: 'iban', input: { values: Array(30).fill('DE89370400440532013000') } } }],
    metadata: paying(quote.required('payment_required')),
  }
  const first = await service.post(sendRequest('1.0', list))
  const second = await service.post(sendRequest('1.0', list))
  await service.close()
  expect(stateOf(taskOf(first.json))).toBe('INPUT_REQUIRED')
  expect(second.status).toBe(429)
})
