import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import type { Traffic } from '../../src/http/limits/traffic-budget.ts'
import type { Handler } from '../../src/http/middleware.ts'
import { closeServer, type ListenOptions, listen, portOf } from '../../src/main/listen.ts'
import { rawRequest } from '../surfaces/rest/raw-request.ts'

/** Longer than a test may take: what is resolved was not forced. */
const NEVER_MS = 3_600_000

const open = (listener: Handler, options: Partial<ListenOptions> = {}) =>
  listen(listener, { host: '127.0.0.1', port: 0, ...options })
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

/** More than is read between two pauses. */
const PIECE = 2 ** 15
const UNCOUNTED = { weigh: () => 0, count: () => {}, answered: () => {} }

/** Notes what each request took, and what came too early. */
const countingIn = (counted: number[]): Traffic => ({
  heldMs: () => 0,
  weigh: (_req, bytes) => bytes,
  count: (_req, weight) => void (weight === 2 ** 19 && counted.push(weight)),
  answered: (_req, _res, bytes, weight) => void counted.push(bytes + weight),
})

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

  test('ends a connection with the answer under way, so that no request follows it into the end', async () => {
    const asked = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const server = await open(async (_req, res) => {
      asked.resolve()
      await release.promise
      res.end('answer')
    })
    const { text } = keptConnection(portOf(server))
    await asked.promise
    server.drain()
    release.resolve()
    await expect.poll(text).toMatch(/\r\nConnection: close\r\n.*answer$/s)
    await closeServer(server, NEVER_MS)
  })

  test('that is announced ends each connection with its next answer, and closes none before', async () => {
    const server = await open((_req, res) => void res.end('answer'))
    const { socket, text } = keptConnection(portOf(server))
    await expect.poll(text).toContain('answer')
    server.drain()
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(text).toMatch(/answer.*\r\nConnection: close\r\n.*answer$/s)
    const other = keptConnection(portOf(server))
    await expect.poll(other.text).toMatch(/\r\nConnection: close\r\n.*answer$/s)
    await closeServer(server, NEVER_MS)
  })

  test.each([
    ['whose length is said', 'Content-Length: 4', 'body'],
    ['in chunks', 'Transfer-Encoding: chunked', '4\r\nbody\r\n0\r\n\r\n'],
  ])('that is announced ends it with the answer to a body %s', async (_what, header, body) => {
    const server = await open((req, res) => void req.resume().on('end', () => res.end(`answer ${req.url}`)))
    const { socket, text } = keptConnection(portOf(server))
    await expect.poll(text).toContain('answer /')
    server.drain()
    socket.write(`POST /1 HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n${body}`)
    await expect.poll(text).toMatch(/\r\nConnection: close\r\n.*answer \/1$/s)
    await closeServer(server, NEVER_MS)
  })

  test('answers what has arrived and waits for its turn', async () => {
    let busyMs = 0
    const server = await open((_req, res) => {
      const until = performance.now() + busyMs
      while (performance.now() < until);
      res.end('answer')
    })
    const accepted: Socket[] = []
    server.on('connection', (socket) => accepted.push(socket))
    const [first, second] = [keptConnection(portOf(server)), keptConnection(portOf(server))]
    await expect.poll(() => first.text() + second.text()).toMatch(/answer.*answer$/s)
    // Longer than the requests of one turn are started.
    busyMs = 20
    for (const socket of accepted) socket.emit('data', Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'))
    server.closeIdleConnections()
    await closeServer(server, NEVER_MS)
    for (const { text } of [first, second]) await expect.poll(() => text().split('answer')).toHaveLength(3)
  })

  test('waits no longer than its limit', async () => {
    const asked = Promise.withResolvers<void>()
    const server = await open(() => asked.resolve())
    const { text } = keptConnection(portOf(server))
    await asked.promise
    await closeServer(server, 1)
    expect(text()).toBe('')
  })
})

const MALFORMED = [
  ['nonsense', 'nonsense\r\n\r\n'],
  ['no version', 'GET /\r\n\r\n'],
  ['version 0.9', 'GET / HTTP/0.9\r\nHost: a\r\n\r\n'],
  ['version 2.0', 'GET / HTTP/2.0\r\nHost: a\r\n\r\n'],
  ['two spaces before the path', 'GET  / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['two spaces behind the path', 'GET /  HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['version 1.0 in chunks', 'POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  [
    'a coding before the chunks',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a client that takes chunks by name', 'GET / HTTP/1.1\r\nHost: a\r\nTE: gzip, chunked\r\n\r\n'],
  ['a bad header', 'GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n'],
  ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n'],
  ['a host with a space', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n'],
  ['a host with a path', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n'],
  ['a host with a user', 'GET / HTTP/1.1\r\nHost: u@a\r\n\r\n'],
  ['a port in letters', 'GET / HTTP/1.1\r\nHost: a:b\r\n\r\n'],
  ['the same host twice', 'GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n'],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
] as const

const ODD_REQUESTS: readonly (readonly [what: string, request: string, status: number, code: string])[] = [
  ...MALFORMED.map(([what, request]) => [what, request, 400, 'request_malformed'] as const),
  [
    'headers over 32 kB',
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(33_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
]

describe('what is no HTTP', () => {
  test.each(
    ODD_REQUESTS,
  )('is refused in the form of every other error: %s', async (_what, request, status, code) => {
    const server = await open((_req, res) => void res.end())
    const response = await rawRequest(portOf(server), request)
    expect(response.status).toBe(status)
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(JSON.parse(response.body)).toMatchObject({
      status,
      code,
      title: expect.any(String),
      charged: false,
      retry: 'fix',
    })
    expect(response.text).not.toContain('xxx')
    await closeServer(server, NEVER_MS)
  })

  test.each(
    ODD_REQUESTS,
  )('is refused on a connection that is kept too: %s', async (_what, request, status) => {
    const served: string[] = []
    const server = await open((req, res) => {
      served.push(req.url ?? '')
      req.resume()
      res.end('answer')
    })
    const { socket, closed, text } = await bareConnection(portOf(server))
    socket.write('POST /first HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab')
    await expect.poll(text).toMatch(/answer$/)
    socket.write(`${request}GET /behind HTTP/1.1\r\nHost: a\r\n\r\n`)
    await closed
    expect(text().split('answer')[1]).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(served).toEqual(['/first'])
    await closeServer(server, NEVER_MS)
  })

  test.each(ODD_REQUESTS)('ends a connection right behind another request: %s', async (_what, request) => {
    const served: string[] = []
    const server = await open((req, res) => {
      served.push(req.url ?? '')
      req.resume()
      res.end('answer')
    })
    const { socket, closed, text } = await bareConnection(portOf(server))
    socket.write(
      `POST /first HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab${request}GET /behind HTTP/1.1\r\nHost: a\r\n\r\n`,
    )
    await closed
    expect(text()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*answer/s)
    expect(served).toEqual(['/first'])
    await closeServer(server, NEVER_MS)
  })

  test.each([
    ['garbage', 'nonsense\r\n\r\n'],
    ['a request that does not end', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n'],
  ])('is not refused in place of the answer to the request before it: %s', async (_what, after) => {
    const faulty = Promise.withResolvers<void>()
    const server = await open(
      async (req, res) => {
        if (req.method === 'POST') return void req.resume()
        await faulty.promise
        res.end('answer')
      },
      { headersMs: 100, requestMs: 100, checkMs: 20 },
    )
    server.once('clientError', () => faulty.resolve())
    const { socket, closed, text } = await bareConnection(portOf(server))
    socket.write(`GET / HTTP/1.1\r\nHost: a\r\n\r\n${after}`)
    await closed
    expect(text()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*answer$/s)
    await closeServer(server, NEVER_MS)
  })

  test('headers of almost 32 kB are read', async () => {
    const server = await open((_req, res) => void res.end('read'))
    const head = `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: ${'x'.repeat(31_000)}\r\n\r\n`
    expect((await rawRequest(portOf(server), head)).body).toContain('read')
    await closeServer(server, NEVER_MS)
  })

  test('headers beside one host are read, whatever their names and values', async () => {
    const server = await open((_req, res) => void res.end('read'))
    const head =
      'GET / HTTP/1.1\r\nHost: a\r\nFrom: host\r\nDate: host\r\nHosts: b\r\nConnection: close\r\n\r\n'
    expect((await rawRequest(portOf(server), head)).body).toContain('read')
    await closeServer(server, NEVER_MS)
  })
})

/** A connection that was opened and on which the test decides what is sent. */
async function bareConnection(port: number) {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  const received: string[] = []
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.on('data', (chunk) => received.push(chunk.toString()))
  socket.on('error', () => {})
  await new Promise<void>((resolve) => socket.on('connect', () => resolve()))
  return { socket, closed, text: () => received.join('') }
}

describe('a client that takes its time', () => {
  const SHORT = { headersMs: 300, requestMs: 600, checkMs: 50 }

  test.each([
    ['says nothing', ''],
    ['never ends its headers', 'POST / HTTP/1.1\r\nHost: a\r\nX-A: b\r\n'],
    ['never ends its body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"value'],
    ['never ends its chunks', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"va'],
  ])('is closed when it %s', async (_what, sent) => {
    const server = await open((req) => void req.resume(), SHORT)
    const { socket, closed, text } = await bareConnection(portOf(server))
    socket.write(sent)
    await closed
    expect(text()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(text()).toContain('application/problem+json')
    expect(text()).toContain('"code":"request_timeout","charged":false,"retry":"unchanged"')
    await closeServer(server, NEVER_MS)
  })

  test.each([
    ['the rest of its body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab', 'cd'],
    ['its first request', '', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcd'],
  ])('is not served any more after the 408 that says that nothing was charged: %s', async (_what, sent, rest) => {
    let served = 0
    const server = await open((req) => void req.resume().on('end', () => (served += 1)), SHORT)
    const { socket, closed, text } = await bareConnection(portOf(server))
    socket.once('data', () => socket.write(rest))
    socket.write(sent)
    await closed
    await sleep(50)
    expect([text().slice(0, 12), served]).toEqual(['HTTP/1.1 408', 0])
    await closeServer(server, NEVER_MS)
  })

  test('gets no longer by sending a byte now and then', async () => {
    const server = await open((req) => void req.resume(), SHORT)
    const { socket, closed, text } = await bareConnection(portOf(server))
    socket.write('POST / HTTP/1.1\r\nHost: a\r\n')
    const drip = setInterval(() => socket.write('X-A: b\r\n'), 20)
    await closed
    clearInterval(drip)
    expect(text()).toMatch(/^HTTP\/1\.1 408 /)
    await closeServer(server, NEVER_MS)
  })

  test('is closed when it never reads its answer', async () => {
    const gone = Promise.withResolvers<void>()
    const server = await open(
      (_req, res) => {
        res.on('close', () => gone.resolve())
        res.end(Buffer.alloc(64 * 2 ** 20))
      },
      { silenceMs: 300 },
    )
    const { socket } = await bareConnection(portOf(server))
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await gone.promise
    await closeServer(server, NEVER_MS)
  })

  test('does not keep others waiting', async () => {
    const server = await open((_req, res) => void res.end('answer'))
    for (let left = 50; left > 0; left--) {
      const { socket } = await bareConnection(portOf(server))
      socket.write('POST / HTTP/1.1\r\n')
    }
    const { text } = keptConnection(portOf(server))
    await expect.poll(text).toContain('answer')
    await closeServer(server, 1)
  })
})

describe('connections', () => {
  test.each([
    ['of one address', { mostPerAddress: 3 }],
    ['of all clients', { mostConnections: 3 }],
  ])('over the limit %s are refused and closed, and the others served on', async (_what, limits) => {
    let served = 0
    const server = await open((_req, res) => {
      served += 1
      res.end('answer')
    }, limits)
    const kept: Awaited<ReturnType<typeof bareConnection>>[] = []
    for (let left = 3; left > 0; left--) kept.push(await bareConnection(portOf(server)))
    const over = keptConnection(portOf(server))
    await new Promise((resolve) => over.socket.on('close', resolve))
    expect(over.text()).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/)
    expect(over.text()).toContain('"code":"too_many_connections"')
    expect(over.text()).toContain('Retry-After: 5')
    expect(served).toBe(0)
    kept[0]?.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => kept[0]?.text()).toContain('answer')

    kept[1]?.socket.destroy()
    await kept[1]?.closed
    await expect
      .poll(async () => {
        const next = keptConnection(portOf(server))
        await new Promise((resolve) => next.socket.once('data', resolve))
        return next.text()
      })
      .toContain('answer')
    await closeServer(server, 1)
  })

  test('that are idle are given up for new ones, the longest idle first', async () => {
    const server = await open((_req, res) => void res.end('answer'), { mostConnections: 3 })
    const kept: ReturnType<typeof keptConnection>[] = []
    for (let left = 3; left > 0; left--) {
      const connection = keptConnection(portOf(server))
      await expect.poll(() => connection.text()).toContain('answer')
      kept.push(connection)
    }
    const closed = new Promise((resolve) => kept[0]?.socket.on('close', resolve))
    const next = keptConnection(portOf(server))
    await expect.poll(() => next.text()).toContain('HTTP/1.1 200')
    await closed
    for (const { socket } of kept.slice(1)) expect(socket.closed).toBe(false)
    await closeServer(server, 1)
  })

  test.each([
    ['in one packet', 0],
    ['in a later packet', 20],
  ])('on which a request comes before the answer to another are closed behind that answer: %s', async (_what, pauseMs) => {
    const release = Promise.withResolvers<void>()
    const asked: string[] = []
    const server = await open(async (req, res) => {
      asked.push(req.url ?? '')
      await release.promise
      res.end(`answer ${req.url}`)
    })
    const { socket, closed, text } = await bareConnection(portOf(server))
    const [first = '', ...others] = [0, 1, 2, 3].map((at) => `GET /${at} HTTP/1.1\r\nHost: a\r\n\r\n`)
    if (pauseMs === 0) socket.write(first + others.join(''))
    else {
      socket.write(first)
      await expect.poll(() => asked.length).toBe(1)
      socket.write(others.join(''))
      await sleep(pauseMs)
    }
    // Others are served meanwhile.
    const other = keptConnection(portOf(server))
    await expect.poll(() => asked).toEqual(['/0', '/'])
    release.resolve()
    await closed
    expect(text()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\nConnection: close\r\n.*answer \/0$/s)
    expect(asked).toEqual(['/0', '/'])
    await expect.poll(other.text).toContain('answer /')
    await closeServer(server, NEVER_MS)
  })

  test('keep the body of a request whole when another one comes with it, of which no more is parsed', async () => {
    const release = Promise.withResolvers<void>()
    const server = await open(async (req, res) => {
      await release.promise
      const body: Buffer[] = []
      req.on('data', (piece: Buffer) => body.push(piece)).on('end', () => res.end(Buffer.concat(body)))
    })
    let parsed = 0
    server.on('request', () => (parsed += 1))
    const { socket, closed, text } = await bareConnection(portOf(server))
    const next = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody${next.repeat(500)}`)
    await expect.poll(() => parsed).toBe(2)
    release.resolve()
    await closed
    expect(text()).toMatch(/\r\nConnection: close\r\n.*\r\n\r\nbody$/s)
    expect(parsed).toBe(2)
    await closeServer(server, NEVER_MS)
  })

  test('are closed behind an answer that has begun when the next request comes, after the whole of it', async () => {
    const release = Promise.withResolvers<void>()
    const asked: string[] = []
    const server = await open(async (req, res) => {
      asked.push(req.url ?? '')
      res.write('begun, ')
      await release.promise
      res.end('ended')
    })
    const { socket, closed, text } = await bareConnection(portOf(server))
    socket.write('GET /1 HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(text).toContain('begun')
    socket.write('GET /2 HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n')
    await sleep(20)
    release.resolve()
    await closed
    expect(text()).toMatch(/begun, \r\n5\r\nended\r\n0\r\n\r\n$/)
    expect(text().match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(asked).toEqual(['/1'])
    await closeServer(server, NEVER_MS)
  })

  test('whose client sends on instead of reading have one answer in memory, which the client can still read', async () => {
    let asked = 0
    const large = Buffer.alloc(16 * 2 ** 20)
    const server = await open((_req, res) => {
      asked += 1
      res.end(large)
    })
    const { socket, closed } = await bareConnection(portOf(server))
    socket.pause()
    socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(60_000))
    await expect.poll(() => asked).toBe(1)
    const other = keptConnection(portOf(server))
    await expect.poll(() => other.text()).toContain('200 OK')
    expect(asked).toBe(2)
    let received = 0
    socket.on('data', ({ length }) => (received += length)).resume()
    await closed
    expect(received).toBeGreaterThan(large.length)
    expect(asked).toBe(2)
    await closeServer(server, 1)
  })

  test('of an address that has taken too much wait, and others are served', async () => {
    const asked: string[] = []
    const server = await open(
      ({ url = '' }, res) => {
        asked.push(url)
        res.end('answer')
      },
      {
        traffic: {
          heldMs: ({ url }) => ({ '/late': 1, '/never': NEVER_MS })[url ?? ''] ?? 0,
          ...UNCOUNTED,
        },
      },
    )
    const [never, late] = [await bareConnection(portOf(server)), await bareConnection(portOf(server))]
    never.socket.write('GET /never HTTP/1.1\r\nHost: a\r\n\r\n')
    late.socket.write('GET /late HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => late.text()).toContain('answer')
    const other = keptConnection(portOf(server))
    await expect.poll(() => other.text()).toContain('answer')
    expect(asked.toSorted()).toEqual(['/', '/late'])
    await closeServer(server, 1)
  })

  test('count what they received and sent, request by request', async () => {
    const counted: number[] = []
    const server = await open((req, res) => void req.resume().on('end', () => res.end('x'.repeat(10_000))), {
      traffic: countingIn(counted),
    })
    const { socket } = await bareConnection(portOf(server))
    for (const length of [50_000, 0]) {
      socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}`)
      await expect.poll(() => counted.length).toBe(length === 0 ? 2 : 1)
    }
    const [large, small] = counted
    expect(large).toBeGreaterThan(60_000)
    expect(small).toBeGreaterThan(10_000)
    expect(small).toBeLessThan(11_000)
    await closeServer(server, 1)
  })

  test('count a request that comes too early as many', async () => {
    const counted: number[] = []
    const server = await open((_req, res) => void res.end('answer'), {
      traffic: countingIn(counted),
    })
    const { socket, closed } = await bareConnection(portOf(server))
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100))
    await closed
    expect(counted).toHaveLength(2)
    expect(Math.max(...counted)).toBe(2 ** 19)
    await closeServer(server, NEVER_MS)
  })

  test('with an expectation that is not met are answered, counted and closed like any other', async () => {
    const counted: number[] = []
    const server = await open((_req, res) => void res.end('answer'), {
      traffic: countingIn(counted),
    })
    const { socket, text } = await bareConnection(portOf(server))
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n')
    await expect.poll(text).toContain('\r\n\r\n')
    expect(text()).toContain('answer')
    expect(counted).toHaveLength(1)
    await closeServer(server, NEVER_MS)
  })

  test('are read no faster than what they sent is taken', async () => {
    const asked = Promise.withResolvers<IncomingMessage>()
    const server = await open((req, res) => {
      asked.resolve(req)
      req.on('end', () => res.end('answer'))
    })
    const { socket, text } = await bareConnection(portOf(server))
    const length = 20_000_000
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`)
    socket.write(Buffer.alloc(length))
    const req = await asked.promise
    await sleep(50)
    // What a stream keeps, and reads of Node.
    expect(req.socket.bytesRead).toBeLessThanOrEqual(3 * 65_536)
    req.resume()
    await expect.poll(text).toContain('answer')
    await closeServer(server, 1)
  })

  test('of an address that has taken too much keep what arrives of a body meanwhile as it came, not chunk by chunk', async () => {
    let parsed = Number.NaN
    const server = await open(
      (req, res) => {
        parsed = req.readableLength
        void text(req).then((body) => res.end(`read ${body.length}`))
      },
      { traffic: { heldMs: () => 100, ...UNCOUNTED } },
    )
    const { socket, text: received } = await bareConnection(portOf(server))
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
    // What follows waits in the system.
    socket.write(`${head}${'1\r\nx\r\n'.repeat(9_000)}0\r\n\r\n`)
    await expect.poll(received).toContain('read 9000')
    // Each takes some 300 bytes in memory.
    expect(parsed).toBeLessThan(200)
    await closeServer(server, NEVER_MS)
  })

  test.each([
    ['no body', 'Host: a\r\n\r\n'],
    ['an empty body', 'Host: a\r\nContent-Length: 0\r\n\r\n'],
    ['an empty body in chunks', 'Host: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a body', 'Host: a\r\nContent-Length: 1\r\n\r\nx'],
  ])('of an address that has taken too much are answered later, with %s', async (_name, rest) => {
    const server = await open(
      (req, res) => void req.on('data', () => {}).on('end', () => res.end('answer')),
      {
        traffic: { heldMs: () => 20, ...UNCOUNTED },
      },
    )
    const { socket, text } = await bareConnection(portOf(server))
    socket.write(`POST / HTTP/1.1\r\n${rest}`)
    await expect.poll(text).toContain('answer')
    await closeServer(server, NEVER_MS)
  })

  test('of an address beyond its budget are read a piece at a time, and arrive whole', async () => {
    let isOver = false
    let pauses = 0
    const traffic: Traffic = {
      ...{ weigh: () => PIECE, count: () => {}, answered: () => {} },
      heldMs: () => (isOver ? ++pauses && 1 : 0),
    }
    const server = await open(
      (req, res) => {
        isOver = true
        void text(req).then((body) => res.end(`read ${body.length}`))
      },
      { traffic },
    )
    const connection = await bareConnection(portOf(server))
    connection.socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n')
    connection.socket.write('x'.repeat(200_000))
    await expect.poll(connection.text).toContain('read 200000')
    expect(pauses).toBeGreaterThan(1)
    await closeServer(server, NEVER_MS)
  })

  test.each([
    ['its head', ''],
    ['its body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n'],
    ['its chunks', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['its trailers', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n'],
  ])('of an address beyond its budget are not read during a pause: %s', async (_what, begun) => {
    let reads = 0
    let isOver = begun === ''
    const begins = Promise.withResolvers<void>()
    const traffic: Traffic = {
      ...{ count: () => {}, answered: () => {} },
      weigh: () => ++reads && PIECE,
      heldMs: () => (isOver ? NEVER_MS : 0),
    }
    const server = await open(
      (req) => {
        isOver = true
        req.resume()
        begins.resolve()
      },
      { traffic },
    )
    const { socket } = await bareConnection(portOf(server))
    if (begun !== '') {
      socket.write(begun)
      await begins.promise
    }
    for (let pieces = 0; pieces < 10; pieces += 1) {
      socket.write('a')
      await sleep(5)
    }
    // The head, and the piece at which the pause begins.
    expect(reads).toBeLessThanOrEqual(2)
    await closeServer(server, 1)
  })

  test('of an address beyond its budget are paused within one read: it holds thousands of chunks', async () => {
    let isOver = false
    let parsed = 0
    const paused = Promise.withResolvers<void>()
    const traffic: Traffic = {
      ...{ count: () => {}, answered: () => {}, weigh: () => PIECE },
      heldMs() {
        if (isOver) paused.resolve()
        return isOver ? NEVER_MS : 0
      },
    }
    const server = await open(
      (req) => {
        isOver = true
        req.on('data', ({ length }) => {
          parsed += length
        })
      },
      { traffic },
    )
    const { socket } = await bareConnection(portOf(server))
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
    socket.write(`${head}${'1\r\nx\r\n'.repeat(9_000)}0\r\n\r\n`)
    await paused.promise
    await sleep(50)
    expect(parsed).toBeLessThan(400)
    await closeServer(server, 1)
  })

  test('are read again once a paused request is answered, because a proxy uses the connection for others', async () => {
    let isOver = true
    const traffic: Traffic = {
      ...{ weigh: () => PIECE, count: () => {}, answered: () => {} },
      heldMs: ({ url }) => (url === '/paused' && !isOver ? NEVER_MS : 0),
    }
    const server = await open(
      ({ url }, res) => {
        isOver = false
        if (url === '/next') return void res.end('next')
        setImmediate(() => res.end('early'))
      },
      { traffic },
    )
    const { socket, text: received } = await bareConnection(portOf(server))
    socket.write('POST /paused HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nx')
    await expect.poll(received).toContain('early')
    socket.write('xGET /next HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(received).toContain('next')
    await closeServer(server, NEVER_MS)
  })

  test('together hold a number of bytes of requests that have not arrived; beyond it the one begun first is given up', async () => {
    let asked = 0
    let arrived = 0
    const server = await open(
      (req, res) => {
        asked += 1
        req.resume().on('end', () => {
          arrived += 1
          res.end('answer')
        })
      },
      { mostHeld: 100_000 },
    )
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 40000\r\n\r\n'
    const whole = await bareConnection(portOf(server))
    // What has arrived whole is held no more.
    for (let sent = 1; sent <= 4; sent++) {
      whole.socket.write(`${head}${'x'.repeat(40_000)}`)
      await expect.poll(() => arrived).toBe(sent)
    }
    const late: Awaited<ReturnType<typeof bareConnection>>[] = []
    for (const begun of [5, 6, 7]) {
      const connection = await bareConnection(portOf(server))
      connection.socket.write(`${head}${'x'.repeat(39_999)}`)
      await expect.poll(() => asked).toBe(begun)
      late.push(connection)
    }
    await late[0]?.closed
    expect(late[0]?.text()).toContain('"code":"request_timeout"')
    for (const { socket, text } of late.slice(1)) {
      socket.write('y')
      await expect.poll(text).toContain('answer')
    }
    whole.socket.write(`${head}${'x'.repeat(40_000)}`)
    await expect.poll(() => arrived).toBe(7)
    await closeServer(server, 1)
  })

  test('carry any number of requests, one after the other and in pieces of any length', async () => {
    const served: string[] = []
    const server = await open((req, res) => {
      served.push(req.url ?? '')
      void req.resume().on('end', () => res.end('answer'))
    })
    const { socket, text } = await bareConnection(portOf(server))
    const chunked = 'Transfer-Encoding: chunked\r\n\r\n4\r\n\r\n\r\n\r\n0\r\nX: y\r\n\r\n'
    const bodies = ['\r\n', 'Content-Length: 6\r\n\r\nx  y\r\n', chunked]
    const paths = Array.from({ length: 90 }, (_, index) => `/${index}`)
    let length = 1
    for (const [at, path] of paths.entries()) {
      const request = `\r\nPOST ${path} HTTP/1.1\r\nHost: a\r\n${bodies[at % 3]}`
      for (let from = 0; from < request.length; from += length, length = (length % 97) + 1) {
        socket.write(request.slice(from, from + length))
        await new Promise(setImmediate)
      }
      await expect.poll(() => text().match(/HTTP\/1\.1 200/g)?.length, { interval: 1 }).toBe(at + 1)
    }
    expect(served).toEqual(paths)
    await closeServer(server, NEVER_MS)
  })

  test('whose request line comes in two pieces are refused like others', async () => {
    const server = await open((_req, res) => void res.end('answer'))
    const { socket, closed, text } = await bareConnection(portOf(server))
    for (const piece of ['GET ', ' / HTTP/1.1\r\n', 'Host: a\r\n\r\n']) {
      socket.write(piece)
      await sleep(20)
    }
    await closed
    expect(text()).toMatch(/^HTTP\/1\.1 400 /)
    await closeServer(server, NEVER_MS)
  })
})
