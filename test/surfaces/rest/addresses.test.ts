import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post, rawRequest } from './raw-request.ts'
import { type RestService, startRestService } from './rest-service.ts'

let service: RestService
beforeAll(async () => {
  service = await startRestService()
})
afterAll(() => service.close())

const send = (method: string, target: string, headers: readonly string[] = []) =>
  rawRequest(
    service.port,
    [`${method} ${target} HTTP/1.1`, 'Host: checks.example', 'Connection: close', ...headers, '', ''].join(
      '\r\n',
    ),
  )

describe('a type that is spelt as a person spells it', () => {
  it.each([
    ['/api/validate/IBAN', 'iban'],
    ['/api/validate/eu_vat', 'eu-vat'],
    ['/api/validate/nip', 'pl-nip'],
    ['/api/validate/PESEL', 'pl-pesel'],
  ])('is found: %s', async (target, type) => {
    const body = '{"value":"x"}'
    const response = await rawRequest(service.port, post(target, body, ['PAYMENT-SIGNATURE: cHJvb2Y=']))
    expect(response.status).toBe(200)
    expect(service.script.calls.at(-1)?.call).toMatchObject({ type })
    const list = await rawRequest(service.port, post(`${target}/batch`, '{"values":["x"]}'))
    expect(list.status).toBe(402)
  })
})

describe('a type that is nearly one', () => {
  it.each([
    ['/api/validate/ibna', 'iban'],
    ['/api/validate/Pesle/batch', 'pl-pesel'],
  ])('is named: %s', async (target, type) => {
    const response = await rawRequest(service.port, post(target, '{"value":"x"}'))
    expect(response.status).toBe(404)
    expect(JSON.parse(response.body)).toMatchObject({
      code: 'unknown_type',
      detail: expect.stringMatching(new RegExp(`Did you mean "${type}"\\?$`)),
    })
  })
})

describe('an address that is not spelt as published', () => {
  it.each([
    '//',
    '/api/validate/iban//',
    '/API/validate/iban',
    '/api/validate//iban',
    '//api/validate/iban',
    '/api//validate/iban',
    '/api/validate/%69ban',
    '/api/validat%65/iban',
    '/api%2Fvalidate%2Fiban',
    '/api/validate%2Fiban',
    '/api/validate/iban%00',
    '/api/validate/iban%20',
    '/api/validate/./iban',
    '/api/validate/../validate/iban',
    '/api\\validate\\iban',
    '/api/validate/iban;v=1',
    '/api/validate/iban#x',
    '/api/validate/%',
    '/api/validate/%ff',
    '/api/validate/__proto__',
    '/api/validate/constructor',
    '/api/validate/toString',
    '/api/validate/',
    '/api/validate',
    '/api/types//',
    '/api/TYPES',
    'http://checks.example/api/validate/iban//',
    '*',
  ])('is not found: %s', async (target) => {
    const calls = service.script.calls.length
    const response = await rawRequest(
      service.port,
      post(target, '{"value":"x"}', ['PAYMENT-SIGNATURE: cHJvb2Y=']),
    )
    expect(response.status).toBe(404)
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(['unknown_type', 'not_found']).toContain(JSON.parse(response.body).code)
    expect(response.headers.location).toBeUndefined()
    expect(service.script.calls).toHaveLength(calls)
  })

  it('says what is missing: a type, or everything', async () => {
    expect(JSON.parse((await send('GET', '/api/validate/us-ssn')).body).code).toBe('unknown_type')
    expect(JSON.parse((await send('GET', '/api/validate/iban/x')).body).code).toBe('not_found')
  })
})

describe('one trailing slash', () => {
  it.each([
    '/api/validate/iban/',
    'http://checks.example/api/validate/iban/',
  ])('is the path itself: %s', async (target) => {
    const response = await rawRequest(service.port, post(target, '{"value":"x"}'))
    expect(response.status).toBe(402)
    expect(JSON.parse(response.body).accepts[0].resource).toBe('https://checks.example/api/validate/iban')
  })
})

describe('a target in absolute form', () => {
  it.each([
    'http://checks.example',
    'http://other.example:8080',
    'HTTPS://checks.example',
  ])('is the path in it: %s', async (origin) => {
    const response = await rawRequest(service.port, post(`${origin}/api/validate/iban`, '{"value":"x"}'))
    expect(response.status).toBe(402)
    expect(JSON.parse(response.body).accepts[0].resource).toBe('https://checks.example/api/validate/iban')
  })

  it('is the root without a path', async () => {
    const [absolute, origin] = await Promise.all([send('GET', 'http://checks.example'), send('GET', '/')])
    expect([absolute.status, absolute.body]).toEqual([origin.status, origin.body])
  })

  it('is refused with a query like any other', async () => {
    const response = await rawRequest(service.port, post('http://a/api/validate/iban?x', '{"value":"x"}'))
    expect(JSON.parse(response.body).code).toBe('query_not_allowed')
  })
})

describe('another method', () => {
  it.each(CHECK_TYPES)('is not allowed on %s, and sells nothing', async (type) => {
    const calls = service.script.calls.length
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      const response = await send(method, `/api/validate/${type}`, ['PAYMENT-SIGNATURE: cHJvb2Y='])
      expect(response.status).toBe(405)
      expect(response.headers.allow).toBe('POST, OPTIONS')
      expect(JSON.parse(response.body).code).toBe('method_not_allowed')
    }
    expect(service.script.calls).toHaveLength(calls)
  })

  it('is not allowed with a query either, and HEAD has no body', async () => {
    const response = await send('HEAD', '/api/validate/iban?value=x')
    expect(response.status).toBe(405)
    expect(response.headers.allow).toBe('POST, OPTIONS')
    expect(response.body).toBe('')
  })
})

describe('a preflight', () => {
  it('is answered before any talk of payment', async () => {
    const response = await send('OPTIONS', '/api/validate/iban', [
      'Origin: https://page.example',
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Headers: content-type,payment-signature,access-control-expose-headers',
    ])
    expect(response.status).toBe(204)
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect(response.headers['access-control-allow-methods']).toContain('POST')
    expect(response.headers['access-control-allow-headers']).toBe('*')
  })
})
