import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { closeServer, listen, portOf, type RequestListener } from '../../src/main/listen.ts'
import { rawRequest } from '../surfaces/rest/raw-request.ts'

/** Longer than a test may take: what is resolved was not forced. */
const NEVER_MS = 3_600_000

const open = (listener: RequestListener) => listen(listener, '127.0.0.1', 0)
const sockets: { destroy(): void }[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Sends a request on a connection that is kept, and gathers what comes back. */
function keptConnection(port: number) {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  const received: string[] = []
  socket.on('data', (chunk) => received.push(chunk.toString()))
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  return { socket, text: () => received.join('') }
}

describe('closing', () => {
  test('waits for answers under way, and for no connection that is kept alive after them', async () => {
    const asked = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const server = await open(async (_req, res) => {
      asked.resolve()
      await release.promise
      res.end('answer')
    })
    const { text } = keptConnection(portOf(server))
    await asked.promise
    const closed = closeServer(server, NEVER_MS)
    release.resolve()
    await closed
    await expect.poll(text).toContain('answer')
  })

  test('does not wait for idle connections', async () => {
    const server = await open((_req, res) => void res.end('answer'))
    const { text } = keptConnection(portOf(server))
    await expect.poll(text).toContain('answer')
    await closeServer(server, NEVER_MS)
  })

  test('waits no longer than it is told', async () => {
    const asked = Promise.withResolvers<void>()
    const server = await open(() => asked.resolve())
    const { text } = keptConnection(portOf(server))
    await asked.promise
    await closeServer(server, 1)
    expect(text()).toBe('')
  })
})

describe('what is no HTTP', () => {
  test.each([
    ['nonsense', 'nonsense\r\n\r\n', 400],
    ['a bad header', 'GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    ['headers over 32 kB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(33_000)}\r\n\r\n`, 431],
  ])('is refused in the form of every other error: %s', async (_what, request, status) => {
    const server = await open((_req, res) => void res.end())
    const response = await rawRequest(portOf(server), request)
    expect(response.status).toBe(status)
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(JSON.parse(response.body)).toMatchObject({ status, title: expect.any(String) })
    expect(response.text).not.toContain('xxx')
    await closeServer(server, NEVER_MS)
  })

  test('headers of almost 32 kB are read', async () => {
    const server = await open((_req, res) => void res.end('read'))
    const head = `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: ${'x'.repeat(31_000)}\r\n\r\n`
    expect((await rawRequest(portOf(server), head)).body).toContain('read')
    await closeServer(server, NEVER_MS)
  })
})
