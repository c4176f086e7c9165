import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DeclinedCode, ERRORS, type UnpaidCode } from '../../../src/errors.ts'
import { DISCOVERY_V1, LIST_DISCOVERY_V1 } from '../../../src/payments/extensions/discovery.ts'
import { paymentRequiredV1 } from '../../../src/payments/terms/terms-v1.ts'
import { PAID, type RestService, startRestService } from './rest-service.ts'
import { quoteFor, SETTLEMENT } from './scripted-sale.ts'

let service: RestService
beforeAll(async () => {
  service = await startRestService()
})
afterAll(() => service.close())
beforeEach(() => {
  service.script.answer = (sold) => sold
})

const UNPAID: readonly UnpaidCode[] = [
  'payment_required',
  'payment_malformed',
  'payment_version_unsupported',
  'payment_terms_mismatch',
  'payment_expired',
  'payment_not_yet_valid',
  'payment_valid_too_long',
  'payment_invalid_signature',
  'payment_insufficient_funds',
  'payment_refused',
]

const DECLINED: readonly DeclinedCode[] = [
  'payment_already_used',
  'payment_identifier_conflict',
  'replay_window_over',
  'too_many_requests',
  'payment_in_doubt',
  'facilitator_unavailable',
  'chain_unavailable',
  'clock_wrong',
  'sales_paused',
  'store_unavailable',
  'shutting_down',
]

describe('a sold check', () => {
  it.each(CHECK_TYPES)('answers %s with exactly the verdict and its receipt', async (type) => {
    const response = await service.check(type, { value: 'PL5260250274' }, PAID)
    expect(response.status).toBe(200)
    expect(response.text).toBe(JSON.stringify(CHECKS[type]('PL5260250274')))
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.headers['cache-control']).toBe('no-store')
    expect(decodePaymentResponseHeader(response.headers['payment-response'] ?? '')).toEqual(SETTLEMENT)
    expect(response.headers).not.toHaveProperty('payment-replayed')
    expect(response.headers).not.toHaveProperty('x-ruleset-changed')
  })

  it('hands the value over untrimmed and unchanged', async () => {
    await service.check('iban', { value: '  de89\u0000\u00e9\u{1f600} ' }, PAID)
    expect(service.script.calls.at(-1)?.call).toMatchObject({
      kind: 'value',
      surface: 'rest',
      items: [{ value: '  de89\u0000\u00e9\u{1f600} ' }],
    })
  })

  it('is reported as delivered once the client has it', async () => {
    const before = service.script.delivered
    await service.check('iban', { value: 'x' }, PAID)
    await expect.poll(() => service.script.delivered).toBe(before + 1)
  })

  it('says so when it repeats an earlier answer, and when the rules have changed since', async () => {
    service.script.answer = (sold) => ({ ...sold, replayed: true, rulesetChanged: true })
    const response = await service.check('iban', { value: 'x' }, PAID)
    expect(response.status).toBe(200)
    expect(response.headers['payment-replayed']).toBe('true')
    expect(response.headers['x-ruleset-changed']).toBe('true')
  })
})

describe('an unpaid check', () => {
  it('without a payment is answered with the terms, in the header and in readable form', async () => {
    const response = await service.check('eu-vat', { value: 'x' })
    const skill = service.skills.get('eu-vat')!
    const required = quoteFor(skill).required('payment_required')
    expect(response.status).toBe(402)
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(response.headers['cache-control']).toBe('no-store')
    expect(decodePaymentRequiredHeader(response.headers['payment-required'] ?? '')).toEqual(required)
    expect(response.body).toEqual({
      type: 'https://checks.example/errors#payment_required',
      title: ERRORS.payment_required.title,
      status: 402,
      detail: ERRORS.payment_required.detail,
      code: 'payment_required',
      charged: false,
      retry: 'new_payment',
      price: '$0.001',
      ...paymentRequiredV1(required, DISCOVERY_V1),
    })
  })

  it.each([
    ['iban', { value: 'x' }, DISCOVERY_V1, { value: 'string' }],
    ['iban/batch', { values: ['x', 'y'] }, LIST_DISCOVERY_V1, { values: 'array', items: 'array' }],
  ])('for %s describes the body of its request', async (path, body, discovery, types) => {
    for (const [member, type] of Object.entries(types))
      expect(discovery.input.bodyFields).toHaveProperty(`${member}.type`, type)
    const [skill] = service.skills.all.filter(({ id }) => id === 'iban')
    const count = 'values' in body ? 2 : 1
    const { accepts } = (await service.check(path, body)).body
    expect(accepts[0].outputSchema).toEqual(
      paymentRequiredV1(quoteFor(skill!, count).required('payment_required'), discovery).accepts[0]
        ?.outputSchema,
    )
  })

  it.each(UNPAID)('carries the terms with the code %s', async (code) => {
    service.script.answer = (_sold, call) => ({
      kind: 'unpaid',
      code,
      quote: quoteFor(call.kind === 'value' ? call.items[0].skill : service.skills.all[0]!),
    })
    const response = await service.check('pl-nip', { value: 'x' }, PAID)
    const body = response.body
    expect(response.status).toBe(402)
    const accepts = [expect.objectContaining({ scheme: 'exact' })]
    expect(body).toMatchObject({ code, status: 402, detail: ERRORS[code].detail, accepts })
    expect(decodePaymentRequiredHeader(response.headers['payment-required'] ?? '').error).toContain(code)
    expect(response.headers).not.toHaveProperty('payment-response')
  })

  it('carries the refused settlement where one was tried, and our time where it was refused for time', async () => {
    const settlement = { ...SETTLEMENT, success: false, transaction: '', errorReason: 'invalid_x' }
    service.script.answer = (_sold, call) => ({
      kind: 'unpaid',
      code: 'payment_expired',
      quote: quoteFor(call.kind === 'value' ? call.items[0].skill : service.skills.all[0]!),
      settlement,
      serverTime: 1_790_000_000,
    })
    const response = await service.check('pl-nip', { value: 'x' }, PAID)
    expect(decodePaymentResponseHeader(response.headers['payment-response'] ?? '')).toEqual(settlement)
    expect(response.body).toMatchObject({ serverTime: 1_790_000_000 })
  })
})

describe('a declined check', () => {
  it.each(DECLINED)('answers %s without terms', async (code) => {
    service.script.answer = () => ({ kind: 'declined', code })
    const response = await service.check('pl-nip', { value: 'x' }, PAID)
    expect(response.status).toBe(ERRORS[code].status)
    expect(response.headers).not.toHaveProperty('payment-required')
    expect(response.body).toEqual({
      type: `https://checks.example/errors#${code}`,
      title: ERRORS[code].title,
      status: ERRORS[code].status,
      detail: ERRORS[code].detail,
      code,
      charged: ERRORS[code].charged,
      retry: ERRORS[code].retry,
    })
    const mustWait = ERRORS[code].status !== 409
    expect('retry-after' in response.headers).toBe(mustWait)
  })

  it('names the charge before', async () => {
    service.script.answer = () => ({ kind: 'declined', code: 'replay_window_over', settlement: SETTLEMENT })
    const { status, headers } = await service.check('pl-nip', { value: 'x' }, PAID)
    expect(status).toBe(409)
    expect(decodePaymentResponseHeader(headers['payment-response'] ?? '')).toEqual(SETTLEMENT)
    expect(headers).not.toHaveProperty('retry-after')
  })

  it('passes on how long to wait', async () => {
    service.script.answer = () => ({ kind: 'declined', code: 'payment_in_doubt', retryAfterSeconds: 17 })
    const response = await service.check('pl-nip', { value: 'x' }, PAID)
    expect(response.headers['retry-after']).toBe('17')
  })
})

describe('a defect', () => {
  it('is answered with 500 in JSON, and its message is written nowhere', async () => {
    service.script.answer = (_sold, call) => {
      throw new TypeError(`cannot read ${call.kind === 'value' ? call.items[0].value : ''}`)
    }
    const response = await service.check('pl-nip', { value: 'CANARY-7391' }, PAID)
    expect(response.status).toBe(500)
    expect(response.text).not.toContain('CANARY')
    const line = JSON.stringify(service.logged)
    expect(line).toContain('TypeError')
    expect(line).not.toContain('CANARY')
  })
})

describe('every answer', () => {
  it('has an id of our own, never the client’s', async () => {
    const response = await service.check('iban', { value: 'x' }, { 'X-Request-Id': 'mine' })
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('can be read by a page of any origin, with each payment header that it has', async () => {
    const page = { Origin: 'https://page.example' }
    const unpaid = await service.check('iban', { value: 'x' }, page)
    const paid = await service.check('iban', { value: 'x' }, { ...PAID, ...page })
    expect([unpaid.status, paid.status]).toEqual([402, 200])
    for (const [{ headers }, name] of [
      [unpaid, 'PAYMENT-REQUIRED'],
      [paid, 'PAYMENT-RESPONSE'],
    ] as const) {
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers['access-control-expose-headers']).toContain(name)
    }
  })
})
