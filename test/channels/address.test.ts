/** What is sold at the address of channels, and what is refused at the other one. */
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshAccount } from '../support/chain-payments.ts'
import { channelClient } from '../support/channel-client.ts'
import { type ChannelService, startChannelService } from './channel-service.ts'

const VALUE = 'DE89 3704 0044 0532 0130 00'
const ITEM = { type: 'iban', value: VALUE } as const
const ORDERS = [
  ['a value', { single: ITEM }, 'iban'],
  ['a list', { list: [ITEM, { type: 'pl-nip', value: '5260250274' }] }, 'batch'],
] as const

let service: ChannelService
beforeAll(async () => {
  service = await startChannelService()
})
afterAll(() => service.stop())

const post = (path: string, body: unknown = { value: VALUE }) =>
  fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

const exactPayment = async (required: Parameters<x402Client['createPaymentPayload']>[0]) =>
  new x402Client().register('eip155:8453', new ExactEvmScheme(freshAccount())).createPaymentPayload(required)

describe('the 402 of the address', () => {
  it('names the address, has no extension, and one scheme', async () => {
    const response = await post('/api/channel/validate/iban')
    expect(response.status).toBe(402)
    const { accepts, resource, extensions } = decodePaymentRequiredHeader(
      response.headers.get('PAYMENT-REQUIRED') ?? '',
    )
    expect(accepts.map(({ scheme }) => scheme)).toEqual(['batch-settlement'])
    expect([resource?.url, extensions]).toEqual([
      'https://checks.example/api/channel/validate/iban',
      undefined,
    ])
  })

  it.each([
    ['/api/channel/validate/iban', '/api/validate/iban'],
    ['/api/channel/validate/VAT', '/api/validate/eu-vat'],
  ])('of %s has no terms of version 1, and names %s', async (path, other) => {
    expect(await (await post(path)).json()).toMatchObject({
      ...{ x402Version: 1, accepts: [], price: '$0.001', code: 'payment_required' },
      error: `Payment required. Single payments are taken at ${other}.`,
    })
  })

  it('of a batch has the price of its values', async () => {
    const items = Array(3).fill(ITEM)
    expect(await (await post('/api/channel/validate/batch', { items })).json()).toMatchObject({
      price: '$0.003',
      error: 'Payment required. Single payments are taken at /api/validate/batch.',
    })
  })

  it.each([
    ['/api/channel/validate/iban/batch', 'not_found'],
    ['/api/channel/validate/ibam', 'unknown_type'],
    ['/api/channel/validate//iban', 'not_found'],
  ])('is not that of %s', async (path, code) => {
    expect(await (await post(path)).json()).toMatchObject({ status: 404, code })
  })

  it.each([
    ['/api/channel/validate/iban?value=1', 'query_not_allowed'],
    ['/api/channel/validate/batch', 'list_missing'],
  ])('comes after the checks of a request: %s', async (path, code) => {
    expect(await (await post(path)).json()).toMatchObject({ code })
  })
})

describe('the stock client', () => {
  it('buys at once and goes on, by one deposit', async () => {
    const { check } = channelClient({ account: freshAccount() })
    const before = service.bench.contract.sent.length
    for (let call = 0; call < 3; call += 1) expect((await check(service.url, VALUE)).status).toBe(200)
    expect(service.bench.contract.sent.slice(before)).toEqual(['deposit'])
  })

  it.each(['exact first', 'channels first'])('that knows single payments as well, too: %s', async (order) => {
    const account = freshAccount()
    const schemes = [new ExactEvmScheme(account), new BatchSettlementEvmScheme(account)]
    const client = new x402Client()
    for (const scheme of order === 'exact first' ? schemes : schemes.toReversed())
      client.register('eip155:8453', scheme)
    const pay = wrapFetchWithPayment(fetch, client)
    const before = service.bench.contract.sent.length
    const headers = { 'Content-Type': 'application/json' }
    for (let call = 0; call < 3; call += 1) {
      const init = { method: 'POST', headers, body: JSON.stringify({ value: VALUE }) }
      expect((await pay(`${service.url}/api/channel/validate/iban`, init)).status).toBe(200)
    }
    expect(service.bench.contract.sent.slice(before)).toEqual(['deposit'])
  })
})

describe.each(ORDERS)('for %s', (_what, order, path) => {
  it('an exact payment is refused at the address of channels, with its terms, uncharged', async () => {
    const payment = await exactPayment(await service.plainDoors.rest.ask(order))
    const { sent } = service.bench.contract
    const before = sent.length
    const refused = await service.doors.rest.buy(order, payment)
    expect(refused).toMatchObject({ outcome: 'payment_terms_mismatch', results: [], charged: 'false' })
    expect(refused.required?.accepts.map(({ scheme }) => scheme)).toEqual(['batch-settlement'])
    expect(refused.required?.error).toContain(`Single payments are taken at /api/validate/${path}.`)
    expect(sent.length).toBe(before)
    // It was not used up.
    expect(await service.plainDoors.rest.buy(order, payment)).toMatchObject({ outcome: 'sold' })
    expect(sent.length).toBe(before + 1)
  })

  it('a voucher is refused at a path of the contract, with its terms, uncharged', async () => {
    const buyer = service.buyerAt(service.doors.rest)
    for (const state of ['unknown', 'open']) {
      const before = await buyer.charged()
      const payment = await buyer.payFor(order)
      const refused = await service.plainDoors.rest.buy(order, payment)
      expect(refused).toMatchObject({ outcome: 'payment_terms_mismatch', results: [], charged: 'false' })
      expect(refused.required?.accepts.map(({ scheme }) => scheme)).toEqual(['exact'])
      expect(await buyer.charged()).toBe(before)
      expect(before > 0n).toBe(state === 'open')
      expect(await buyer.buy(order)).toMatchObject({ outcome: 'sold' })
    }
  })

  it('what was charged is answered at the other address as well, uncharged', async () => {
    const buyer = service.buyerAt(service.doors.rest)
    const payment = await buyer.payFor(order)
    expect(await service.doors.rest.buy(order, payment)).toMatchObject({ outcome: 'sold' })
    const charged = await buyer.charged()
    expect(await service.plainDoors.rest.buy(order, payment)).toMatchObject({ outcome: 'replayed' })
    expect(await buyer.charged()).toBe(charged)
    const single = await exactPayment(await service.plainDoors.rest.ask(order))
    expect(await service.plainDoors.rest.buy(order, single)).toMatchObject({ outcome: 'sold' })
    expect(await service.doors.rest.buy(order, single)).toMatchObject({ outcome: 'replayed' })
  })
})
