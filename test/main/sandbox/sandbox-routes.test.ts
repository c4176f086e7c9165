import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'
import { rawRequest } from '../../surfaces/rest/raw-request.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const ask = (host: string, { method = 'GET', target = '/sandbox.json', headers = '' } = {}) =>
  rawRequest(
    service.port,
    `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n`,
  )

describe('/sandbox.json', () => {
  test.each([
    '127.0.0.1',
    '127.0.0.1:4021',
    'localhost',
    'localhost:1',
    '[::1]',
    '[::1]:4021',
  ])('is given to who calls this machine %s', async (host) => {
    const { status, headers, body } = await ask(host)
    const { sandbox } = service
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
    expect(JSON.parse(body)).toEqual({
      chainId: 8453,
      rpcUrl: sandbox.rpcUrl,
      facilitatorUrl: sandbox.facilitatorUrl,
      token: sandbox.token,
      payTo: sandbox.payTo,
      buyer: sandbox.buyer,
    })
  })

  test.each([
    'checks.example',
    '127.0.0.1.example',
    'localhost.example',
    '10.0.0.1',
    '0.0.0.0',
    '',
    '127.0.0.1@checks.example',
    'a b',
  ])('is not there for who calls it %j', async (host) => {
    const { text } = await ask(host)
    expect(text).toMatch(/^HTTP\/1\.1 40[04] /)
    expect(text).not.toContain(service.sandbox.buyer.privateKey)
  })

  test('may not be read by a page of another origin', async () => {
    const { headers } = await ask('127.0.0.1', { headers: 'Origin: https://page.example\r\n' })
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
  })

  test('is there for GET alone', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, text } = await ask('127.0.0.1', { method })
      expect(status).toBe(404)
      expect(text).not.toContain(service.sandbox.buyer.privateKey)
    }
  })
})

test('every answer says that no real money is involved', async () => {
  for (const target of [
    '/sandbox.json',
    '/api/types',
    '/api/validate/iban',
    '/nothing',
    '/healthz',
    '/mcp',
  ]) {
    expect((await ask('127.0.0.1', { target })).headers['x-sandbox']).toBe('true')
  }
})
