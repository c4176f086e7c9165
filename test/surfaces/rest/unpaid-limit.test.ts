import { afterEach, expect, it } from 'vitest'
import { PAID, type RestService, startRestService } from './rest-service.ts'

let service: RestService
afterEach(() => service.close())

it('unpaid requests over the limit are 429, for any fault, and payments still pass', async () => {
  service = await startRestService({ unpaidPerMinute: 3 })
  expect((await service.check('iban', { value: 'x' })).status).toBe(402)
  expect((await service.check('iban', '')).status).toBe(402)
  expect((await service.check('iban', '{')).status).toBe(400)
  const blocked = await service.check('pl-nip', { value: 'x' })
  expect(blocked.status).toBe(429)
  expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(blocked.headers['retry-after'])).toBeLessThanOrEqual(60)
  expect(blocked.body).toMatchObject({ code: 'too_many_requests' })
  expect((await service.check('iban', { value: 'x' }, PAID)).status).toBe(200)
})

it('refused payments over the limit are 429 before they reach the sale', async () => {
  service = await startRestService({ unpaidPerMinute: 2 })
  service.script.answer = () => ({ kind: 'declined', code: 'payment_already_used' })
  for (const status of [409, 409, 429]) {
    expect((await service.check('iban', { value: 'x' }, PAID)).status).toBe(status)
  }
  expect(service.script.calls).toHaveLength(2)
  expect((await service.check('iban', { value: 'x' })).status).toBe(429)
})

it('bad requests with a junk payment over the limit are 429, too', async () => {
  service = await startRestService({ unpaidPerMinute: 3 })
  const bad = ['{', '', { other: 1 }, { value: 'x' }] as const
  const statuses = []
  for (const body of bad) statuses.push((await service.check('iban', body, PAID)).status)
  expect(statuses).toEqual([400, 400, 400, 429])
  expect(service.script.calls).toHaveLength(0)
})

it('first calls with another content type count, though they show the terms', async () => {
  service = await startRestService({ unpaidPerMinute: 2 })
  for (const status of [415, 415, 429])
    expect((await service.check('iban', 'x', { 'Content-Type': 'text/plain' })).status).toBe(status)
})
