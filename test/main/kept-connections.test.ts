/** The next request of a client that waits for the whole answer is never taken for one that came too early. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { readBody } from '../../src/http/body/read-body.ts'
import { closeServer, listen, portOf } from '../../src/main/listen.ts'
import type { QuickRequest } from '../http/limits/quick-client.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const CLIENTS = 4
const REQUESTS = 600
const BODY_LIMIT = 100
const LARGE = Buffer.alloc(2 ** 20, 'x')
const PROGRAM = new URL('../http/limits/quick-client.ts', import.meta.url)

const chunked = (text: string) => `${[...text].map((one) => `1\r\n${one}\r\n`).join('')}0\r\n\r\n`

/** Each with the status of its answer. */
const KINDS: readonly (readonly [status: number, make: (random: SeededRandom) => QuickRequest])[] = [
  [200, () => request('GET', '/')],
  [200, () => request('GET', '/large')],
  [200, () => request('HEAD', '/large')],
  [304, () => request('GET', '/unchanged')],
  [200, (random) => request('POST', '/', { body: 'x'.repeat(random.int(BODY_LIMIT)) })],
  [
    200,
    (random) =>
      request('POST', '/', {
        head: 'Transfer-Encoding: chunked\r\n',
        body: chunked('x'.repeat(random.int(BODY_LIMIT))),
      }),
  ],
  [200, () => request('POST', '/', { head: 'Expect: 100-continue\r\n', body: 'x' })],
  // Refused at its head, while the client sends the rest.
  [413, (random) => request('POST', '/', { body: 'x'.repeat(200_000 + random.int(200_000)) })],
  [404, (random) => request('POST', '/unread', { body: 'x'.repeat(random.int(100_000)) })],
]

function request(method: string, path: string, { head = '', body = '' } = {}): QuickRequest {
  const isPost = method === 'POST' && !head.startsWith('Transfer')
  const length = isPost ? `Content-Length: ${body.length}\r\n` : ''
  return { method, bytes: `${method} ${path} HTTP/1.1\r\nHost: a\r\n${head}${length}\r\n${body}` }
}

async function answer(res: ServerResponse): Promise<void> {
  const { url } = res.req
  if (url === '/unread') return void res.writeHead(404).end('unread')
  if (url === '/unchanged') return void res.writeHead(304).end()
  if (url === '/large') return void res.end(LARGE)
  const body = await readBody(res, BODY_LIMIT)
  res.writeHead(body.kind === 'read' ? 200 : 413).end(body.kind)
}

test('many quick requests over each kept connection, of every kind, are all answered', async () => {
  const server = await listen((_req, res) => void answer(res), { host: '127.0.0.1', port: 0 })
  const random = new SeededRandom(58)
  const clients = Array.from({ length: CLIENTS }, async () => {
    const kinds = Array.from({ length: REQUESTS }, () => random.pick(KINDS))
    const requests = kinds.map(([, make]) => make(random))
    const client = fork(PROGRAM, [])
    client.send([portOf(server), requests])
    const [statuses] = await once(client, 'message')
    expect(statuses).toEqual(kinds.map(([status]) => status))
  })
  await Promise.all(clients)
  await closeServer(server, 1)
})
