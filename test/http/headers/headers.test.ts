import supertest from 'supertest'
import { expect, test } from 'vitest'
import { addHeaders, type HeaderList, sendBody } from '../../../src/http/body/send.ts'
import { crossOrigin } from '../../../src/http/headers/cors.ts'
import { requestId, requestIdOf } from '../../../src/http/headers/request-id.ts'
import { pageHeaders, securityHeaders } from '../../../src/http/headers/security-headers.ts'
import type { Handler, Middleware } from '../../../src/http/middleware.ts'

const behind =
  (middleware: Middleware, headers: HeaderList = []): Handler =>
  (req, res) =>
    middleware(req, res, () => sendBody(res, 200, headers))

test('every response forbids sniffing, and sets HSTS on https alone', () => {
  const nosniff = ['X-Content-Type-Options', 'nosniff']
  expect(securityHeaders({ https: false })).toEqual(nosniff)
  expect(securityHeaders({ https: true })).toEqual([
    ...nosniff,
    ...['Strict-Transport-Security', 'max-age=31536000'],
  ])
})

test('a page can be read but not framed or scripted', () =>
  supertest(behind(pageHeaders()))
    .get('/')
    .expect(
      'Content-Security-Policy',
      "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    )
    .expect('X-Frame-Options', 'DENY')
    .expect('Referrer-Policy', 'no-referrer')
    .expect('Cross-Origin-Resource-Policy', 'cross-origin'))

test('a preflight allows any header; every response names which of its headers may be read', async () => {
  const headers = ['Retry-After', '1', 'Location', '/', 'PAYMENT-REQUIRED', 'terms']
  const client = supertest(behind(crossOrigin, headers))
  await client
    .options('/')
    .set('Access-Control-Request-Headers', 'a@canary.example')
    .expect(204)
    .expect('Access-Control-Allow-Origin', '*')
    .expect('Access-Control-Allow-Headers', '*')
    .expect('Access-Control-Allow-Methods', 'GET,HEAD,POST,OPTIONS')
    .expect('Access-Control-Max-Age', '86400')
  const response = await client
    .get('/')
    .expect('Access-Control-Allow-Origin', '*')
    .expect('Access-Control-Expose-Headers', 'Retry-After,PAYMENT-REQUIRED')
  expect(response.headers).not.toHaveProperty('access-control-allow-credentials')
})

test('a preflight is answered without content and says no length of it, as RFC 9110 asks of a 204', async () => {
  const response = await supertest(behind(crossOrigin)).options('/').expect(204)
  expect(response.headers).not.toHaveProperty('content-length')
  expect(response.text).toBe('')
})

test('each response has its own id, which handlers can read; a client id is ignored', async () => {
  const identify = requestId()
  const seen: string[] = []
  const client = supertest((req: Parameters<Handler>[0], res: Parameters<Handler>[1]) =>
    identify(req, res, () => {
      seen.push(requestIdOf(res))
      sendBody(res, 200, [])
    }),
  )
  const sent = 'a'.repeat(20)
  const first = await client.get('/').set('X-Request-Id', sent)
  const second = await client.get('/').set('X-Request-Id', sent)
  expect(seen).toEqual([first.headers['x-request-id'], second.headers['x-request-id']])
  expect(new Set([...seen, sent]).size).toBe(3)
})

const answerOf = (...lists: readonly HeaderList[]) =>
  supertest((_req: Parameters<Handler>[0], res: Parameters<Handler>[1]) => {
    for (const list of lists) addHeaders(res, list)
    sendBody(res, 200, ['ETag', '"1"'])
  }).get('/')

test('a list that has several writers is one line, each value once', () =>
  answerOf(['Vary', 'Accept'], ['Vary', 'Accept-Encoding'], ['Link', '<a>'], ['Link', '<a>'])
    .expect('Vary', 'Accept, Accept-Encoding')
    .expect('Link', '<a>'))

test('any other name given twice is refused', () => {
  const written: unknown[] = []
  const res = { writeHead: (...head: unknown[]) => written.push(head) } as never
  addHeaders(res, ['ETag', '"1"'])
  expect(() => sendBody(res, 200, ['ETag', '"1"'])).toThrow('the header ETag is given twice')
  expect(written).toEqual([])
})
