/** Refunds of a payment channel over the wire, with a refund that follows a script. */
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import supertest from 'supertest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RefundOutcome } from '../../../src/payments/channels/refunds/refund-channel.ts'
import type { RawPayment } from '../../../src/payments/ports/sale.ts'
import { realRegistry } from '../../support/registry.ts'
import { rawRequest } from './raw-request.ts'
import { PAID, type RestService, startRestService } from './rest-service.ts'
import { quoteFor, SETTLEMENT } from './scripted-sale.ts'

const PATH = '/api/channel'
const QUOTE = quoteFor(realRegistry().all[0]!)
const UNPAID: RefundOutcome = { kind: 'unpaid', code: 'payment_required', quote: QUOTE }

let service: RestService
let asked: RawPayment[]
let answer: () => RefundOutcome

const start = async (unpaidPerMinute = 0) => {
  service = await startRestService({
    unpaidPerMinute,
    refund: async (rawPayment) => {
      asked.push(rawPayment)
      return answer()
    },
  })
}
const ask = (headers: Record<string, string> = {}) => supertest(service.url).get(PATH).set(headers)

beforeEach(() => {
  asked = []
  answer = () => UNPAID
})
afterEach(() => service.close())

describe('GET /api/channel', () => {
  it('says what was refunded, and by which transfer', async () => {
    await start()
    answer = () => ({ kind: 'refunded', amount: 9_007_199_254_740_993n, settlement: SETTLEMENT })
    const { status, headers, body } = await ask(PAID)
    expect(status).toBe(200)
    expect(body).toEqual({ refunded: '9007199254740993', transaction: SETTLEMENT.transaction })
    expect(decodePaymentResponseHeader(headers['payment-response'] ?? '')).toEqual(SETTLEMENT)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    })
    expect(asked).toEqual([{ kind: 'text', text: PAID['PAYMENT-SIGNATURE'] }])
    const line = { route: PATH, surface: 'rest', code: 'refunded', status: 200 }
    await expect.poll(() => service.logged).toEqual([[expect.objectContaining(line), expect.anything()]])
  })

  it('without a voucher has the terms', async () => {
    await start()
    const { status, headers } = await ask()
    expect(status).toBe(402)
    expect(decodePaymentRequiredHeader(headers['payment-required'] ?? '')).toEqual(
      QUOTE.required('payment_required'),
    )
    expect(asked).toEqual([{ kind: 'none' }])
  })

  it('tells how long to wait while the outcome is open', async () => {
    await start()
    answer = () => ({ kind: 'declined', code: 'payment_in_doubt', retryAfterSeconds: 17 })
    const { status, headers, body } = await ask(PAID)
    expect([status, headers['retry-after'], body.code]).toEqual([503, '17', 'payment_in_doubt'])
  })

  it('names the settlement that was refused, in the header of version 2 alone', async () => {
    await start()
    const settlement = { ...SETTLEMENT, success: false, errorReason: 'invalid_x' }
    answer = () => ({ ...UNPAID, settlement }) as RefundOutcome
    const { headers } = await ask(PAID)
    expect(decodePaymentResponseHeader(headers['payment-response'] ?? '')).toEqual(settlement)
    expect(headers).not.toHaveProperty('x-payment-response')
  })

  it('takes two vouchers for none that can be read', async () => {
    await start()
    const lines = [`GET ${PATH} HTTP/1.1`, 'Host: a', 'Connection: close']
    const twice = Array(2).fill('PAYMENT-SIGNATURE: cHJvb2Y=')
    const reply = await rawRequest(service.port, `${[...lines, ...twice].join('\r\n')}\r\n\r\n`)
    expect(reply.status).toBe(402)
    expect(asked).toEqual([{ kind: 'text', text: '' }])
  })

  it.each(['post', 'put', 'delete'] as const)('is no address for %s', async (method) => {
    await start()
    const { status, headers } = await supertest(service.url)[method](PATH).set(PAID)
    expect([status, headers.allow]).toEqual([405, 'GET, OPTIONS'])
    expect(asked).toEqual([])
  })

  it('has a defect answered with 500, and its message is written nowhere', async () => {
    await start()
    answer = () => {
      throw new TypeError('cannot read CANARY-7391')
    }
    const { status, text } = await ask(PAID)
    expect(status).toBe(500)
    expect(JSON.parse(text)).toMatchObject({ code: 'internal_error' })
    expect(JSON.stringify(service.logged)).toContain('TypeError')
    expect(text + JSON.stringify(service.logged)).not.toContain('CANARY')
  })
})

describe('the limits', () => {
  it('stop requests without a voucher, and refunds still pass', async () => {
    await start(2)
    for (const expected of [402, 402]) expect((await ask()).status).toBe(expected)
    const { status, headers } = await ask()
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(asked).toHaveLength(2)
    answer = () => ({ kind: 'refunded', amount: 1n, settlement: SETTLEMENT })
    expect((await ask(PAID)).status).toBe(200)
  })

  it('stop vouchers that are refused before they are looked at', async () => {
    await start(2)
    answer = () => ({ kind: 'unpaid', code: 'payment_invalid_signature', quote: QUOTE })
    for (const expected of [402, 402, 429]) expect((await ask(PAID)).status).toBe(expected)
    expect(asked).toHaveLength(2)
  })

  it('count nothing that is our own trouble', async () => {
    await start(1)
    answer = () => ({ kind: 'declined', code: 'payment_in_doubt' })
    for (let round = 0; round < 4; round++) expect((await ask(PAID)).status).toBe(503)
  })
})
