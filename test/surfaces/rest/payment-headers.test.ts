import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RawPayment } from '../../../src/payments/ports/sale.ts'
import { post, rawRequest } from './raw-request.ts'
import { type RestService, startRestService } from './rest-service.ts'

let service: RestService
beforeAll(async () => {
  service = await startRestService()
})
afterAll(() => service.close())

const send = (...headers: string[]) =>
  rawRequest(service.port, post('/api/validate/iban', '{"value":"x"}', headers))

const OLDER = { kind: 'text', text: 'YQ==', version1: true } as RawPayment

it.each<[string, RawPayment, string[]]>([
  ['no header', { kind: 'none' }, []],
  ['an empty PAYMENT-SIGNATURE', { kind: 'none' }, ['PAYMENT-SIGNATURE:']],
  ['an empty X-PAYMENT', { kind: 'none' }, ['X-PAYMENT:  ']],
  ['two empty headers', { kind: 'none' }, ['PAYMENT-SIGNATURE:', 'PAYMENT-SIGNATURE: ']],
  ['PAYMENT-SIGNATURE', { kind: 'text', text: 'YQ==' }, ['PAYMENT-SIGNATURE: YQ==']],
  ['any case of it', { kind: 'text', text: 'YQ==' }, ['payment-signature: YQ==']],
  ['X-PAYMENT alone', OLDER, ['X-PAYMENT: YQ==']],
  ['X-PAYMENT beside an empty one', OLDER, ['PAYMENT-SIGNATURE:', 'X-PAYMENT: YQ==']],
  ['both', { kind: 'text', text: 'YQ==' }, ['X-PAYMENT: Yg==', 'PAYMENT-SIGNATURE: YQ==']],
])('%s is handed to the sale as it is', async (_what, rawPayment, headers) => {
  await send(...headers)
  expect(service.script.calls.at(-1)?.rawPayment).toEqual(rawPayment)
})

it.each([
  ['PAYMENT-SIGNATURE', 'YQ==', 'Yg=='],
  ['PAYMENT-SIGNATURE', 'YQ==', 'YQ=='],
  ['X-PAYMENT', 'YQ==', 'YQ=='],
])('%s given twice is malformed and never sold: %s, %s', async (name, first, second) => {
  const calls = service.script.calls.length
  const response = await send(`${name}: ${first}`, `${name.toLowerCase()}: ${second}`)
  expect(response.status).toBe(402)
  expect(JSON.parse(response.body).code).toBe('payment_malformed')
  expect(response.headers['payment-required']).toBeDefined()
  expect(service.script.calls).toHaveLength(calls)
})
