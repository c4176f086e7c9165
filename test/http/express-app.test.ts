import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { expressApp } from '../../src/http/express-app.ts'
import type { Handler, Middleware } from '../../src/http/middleware.ts'
import { closeServer, listen, portOf } from '../../src/main/listen.ts'
import { rawRequest } from '../surfaces/rest/raw-request.ts'

let server: Server | undefined
afterEach(() => server?.close())

async function ask(handler: Handler): Promise<Response> {
  server = createServer(handler)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}
const say =
  (text: string): Middleware =>
  (_req, res) =>
    void res.end(text)
const failed: Parameters<typeof expressApp>[1] = (_error, _req, res) => void res.writeHead(500).end('failed')

describe('the Express application', () => {
  test('asks one link after the other until one answers', async () => {
    const marks: string[] = []
    const mark =
      (text: string): Middleware =>
      (_req, _res, next) => {
        marks.push(text)
        next()
      }
    const response = await ask(expressApp([mark('a'), mark('b'), say('c'), say('d')], failed))
    expect(await response.text()).toBe('c')
    expect(marks).toEqual(['a', 'b'])
  })

  test.each<[string, Middleware]>([
    [
      'throws',
      () => {
        throw new Error('boom')
      },
    ],
    ['passes an error on', (_req, _res, next) => next(new Error('boom'))],
    ['passes on with no handler behind it', (_req, _res, next) => next()],
  ])('answers for a link that %s', async (_, link) => {
    const response = await ask(expressApp([link], failed))
    expect([response.status, await response.text()]).toEqual([500, 'failed'])
  })
})

const AUTHORITY = fc.stringMatching(/^[!-~]{0,12}$/)
const TARGET = fc.oneof(
  fc.constantFrom(
    '*',
    'http://',
    'http://[::1/paid',
    'http://a:b/paid',
    'http://?x',
    'foo://',
    'foo://a',
    'http:///a',
  ),
  fc
    .tuple(
      fc.constantFrom('http', 'HTTPS', 'ftp', 'a'),
      AUTHORITY,
      fc.constantFrom('', '/', '/paid', '?x', '//', '/%'),
    )
    .map(([scheme, authority, path]) => `${scheme}://${authority}${path}`),
  fc.stringMatching(/^\/[!-~]{0,16}$/),
)

test('every target is answered by the middleware, or refused as malformed before it', async () => {
  const errors: unknown[] = []
  const app = expressApp([say('answered')], (error, _req, res) => {
    errors.push(error)
    res.writeHead(500).end()
  })
  const service = await listen(app, { host: '127.0.0.1', port: 0 })
  const property = fc.asyncProperty(TARGET, async (target) => {
    const request = `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
    const { status, body } = await rawRequest(portOf(service), request)
    const code = status === 200 ? body : JSON.parse(body).code
    expect([
      [200, 'answered'],
      [400, 'request_malformed'],
    ]).toContainEqual([status, code])
  })
  await fc.assert(property, { numRuns: 300 })
  await closeServer(service, 0)
  expect(errors).toEqual([])
})

test.each([
  'http://',
  'http://[::1/paid',
  'http://a:b/paid',
  'foo://',
  'http://a\\b/paid',
  '/\\!@#',
  'http://a//!@#',
])('refuses the target %s', async (target) => {
  const service = await listen(expressApp([say('answered')], failed), { host: '127.0.0.1', port: 0 })
  const request = `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
  expect((await rawRequest(portOf(service), request)).status).toBe(400)
  await closeServer(service, 0)
})
