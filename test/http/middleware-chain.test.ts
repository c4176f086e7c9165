import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { Handler, Middleware } from '../../src/http/middleware.ts'
import { middlewareChain } from '../../src/http/middleware-chain.ts'

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
const failed: Parameters<typeof middlewareChain>[1] = (_error, _req, res) =>
  void res.writeHead(500).end('failed')

describe('a chain of middleware', () => {
  test('asks one link after the other until one answers', async () => {
    const marks: string[] = []
    const mark =
      (text: string): Middleware =>
      (_req, _res, next) => {
        marks.push(text)
        next()
      }
    const response = await ask(middlewareChain([mark('a'), mark('b'), say('c'), say('d')], failed))
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
    const response = await ask(middlewareChain([link], failed))
    expect([response.status, await response.text()]).toEqual([500, 'failed'])
  })
})
