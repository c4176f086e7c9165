import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Skill } from '../../src/catalog/skill.ts'
import { openPipe, type Pipe } from '../fuzz/wire.ts'
import { countersOf } from '../support/buy-over.ts'
import { payloadFor } from '../support/payment-header.ts'
import { startTestService, type TestService } from '../support/sandbox-service.ts'
import { rawRequest } from '../surfaces/rest/raw-request.ts'

const SKILL = { id: 'iban', operationId: 'validate_iban' } as Skill
const IBAN = 'DE89370400440532013000'
const ROUNDS = 12
const PER_ROUND = 32

let service: TestService
const pipes: Pipe[] = []
beforeAll(async () => {
  service = await startTestService({ RATE_LIMIT_UNPAID: '120', TRUST_PROXY: '1' })
})
afterAll(async () => {
  for (const pipe of pipes) pipe.close()
  await service.stop()
})

const post = (path: string, body: string, headers = '') =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\nContent-Type: application/json\r\n${headers}` +
  `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

const FLOODS: Readonly<Record<string, () => string>> = {
  'unpaid calls': () => post('/api/validate/iban', JSON.stringify({ value: IBAN })),
  'bad bodies': () => post('/api/validate/iban', '{'),
  'malformed payments from elsewhere': () =>
    post('/api/validate/iban', '{"value":"x"}', 'X-Forwarded-For: 192.0.2.9\r\nPAYMENT-SIGNATURE: e30=\r\n'),
  'unpaid messages': () => post('/a2a', '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{}}'),
  'unpaid tool calls': () =>
    post(
      '/mcp',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"validate_iban","arguments":{}}}',
      'Accept: application/json\r\n',
    ),
  'a page': () => `GET / HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\n\r\n`,
}

/** Sends the same thing again and again until told to stop; resolves with the statuses it got. */
async function flood(what: string, isOver: () => boolean): Promise<Set<number>> {
  const pipe = openPipe(service.port)
  pipes.push(pipe)
  const statuses = new Set<number>()
  const bytes = Buffer.from((FLOODS[what] as () => string)())
  const input = { kind: what, bytes, framed: true, method: 'POST', port: 'public', surface: 'free' } as const
  for (let rounds = 0; rounds < ROUNDS || !isOver(); rounds++) {
    for (const { answer } of await pipe.send(Array.from({ length: PER_ROUND }, () => input)))
      statuses.add(answer?.status ?? 0)
  }
  return statuses
}

describe('while floods of unpaid requests come from the same address', () => {
  test('paid calls are sold on every surface, and the flooding client gets 429', async () => {
    const sales = 24
    let sold = 0
    const floods = Object.keys(FLOODS).map((what) => flood(what, () => sold >= sales))
    const counters = Object.values(countersOf(service.url))
    for (let sale = 0; sale < sales; sale++) {
      const payload = await payloadFor(service.buyer, service.sandbox.payTo)
      const { verdict, settlement } = await counters[sale % counters.length]!.buy(SKILL, IBAN, payload)
      expect(verdict.valid).toBe(true)
      expect(settlement.success).toBe(true)
      sold += 1
    }
    const [unpaid, bad, forged, messages, tools, page] = await Promise.all(floods)
    for (const statuses of [unpaid, bad, messages, tools]) expect(statuses).toContain(429)
    expect([...(forged ?? [])].every((status) => [402, 429].includes(status))).toBe(true)
    expect([...(page ?? [])]).toEqual([200])
    const rows = service.rows().filter(({ state }) => state === 'settled')
    expect(rows).toHaveLength(sales)
  })
})

describe('paid calls that are sent without waiting for the answer before them', () => {
  test('are sold one by one: the first is, and the others are charged when they are sent again', async () => {
    const before = service.rows().length
    const calls: string[] = []
    for (let call = 0; call < 3; call++) {
      const payment = await service.pay()
      calls.push(
        post('/api/validate/iban', JSON.stringify({ value: IBAN }), `PAYMENT-SIGNATURE: ${payment}\r\n`),
      )
    }
    for (let left = calls.length; left > 0; left--) {
      const answers = await rawRequest(service.port, [...calls.slice(-left), calls[0]].join(''))
      expect(answers.text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
      expect(answers.status).toBe(200)
      // The answer to a repeat would say that it was sold before.
      expect(answers.headers).not.toHaveProperty('payment-replayed')
      expect(service.rows().length - before).toBe(calls.length - left + 1)
    }
  })
})

describe('a burst of one address is not served to its end before what others ask', () => {
  beforeAll(async () => {
    await service.stop()
    service = await startTestService({ RATE_LIMIT_UNPAID: '6', TRUST_PROXY: '1' })
  })
  const CONNECTIONS = 64
  const EACH = 60
  const get = (path: string, method = 'GET', headers = '') =>
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\n${headers}\r\n`
  const BURSTS: Readonly<Record<string, () => string>> = {
    'documents that are never read': () => get('/llms-full.txt'),
    'heads of documents': () => get('/llms-full.txt', 'HEAD'),
    preflights: () =>
      get(
        '/api/validate/iban',
        'OPTIONS',
        'Origin: https://a.test\r\nAccess-Control-Request-Method: POST\r\n',
      ),
    probes: () => get('/healthz'),
    'forged payments': () => post('/api/validate/iban', '{"value":"x"}', 'PAYMENT-SIGNATURE: e30=\r\n'),
  }

  test.each(Object.keys(BURSTS))('%s', async (what) => {
    const one = (BURSTS[what] as () => string)()
    const answered = () => service.logged.filter((line) => line.includes('"msg":"request"')).length
    const before = answered()
    const sockets = Array.from({ length: CONNECTIONS }, () => connect(service.port, '127.0.0.1'))
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
    for (const socket of sockets) {
      socket.on('error', () => {}).write(one.repeat(EACH))
      if (what.endsWith('never read')) socket.pause()
      else socket.resume()
    }
    // From another address, as the proxy in front says.
    const headers = { 'X-Forwarded-For': '192.0.2.8' }
    for (let sales = 0; sales < 8; sales++) {
      expect((await fetch(`${service.url}/healthz`, { headers })).status).toBe(200)
      const payment = await service.pay()
      const sold = await service.check('iban', IBAN, { ...headers, 'PAYMENT-SIGNATURE': payment })
      expect(sold.status).toBe(200)
    }
    // One of each connection, and what others asked.
    expect(answered() - before).toBeLessThan(2 * CONNECTIONS)
    for (const socket of sockets) socket.destroy()
  })
})

function startOfChunks() {
  const head = 'POST /api/validate/iban HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
  return `${head}Transfer-Encoding: chunked\r\n\r\n`
}

/** The smallest chunks of a body, or the bytes of a head, that never end. */
const TRICKLES: Readonly<Record<string, readonly [string, string]>> = {
  'chunks of 1 byte': [startOfChunks(), '1\r\nx\r\n'],
  'chunks of 7 bytes': [startOfChunks(), '7\r\nxxxxxxx\r\n'],
  'chunks of 100 bytes': [startOfChunks(), `64\r\n${'x'.repeat(100)}\r\n`],
  'bytes of a head': ['POST /api/validate/iban HTTP/1.1\r\nX: ', 'x'],
  'bytes of trailers': [`${startOfChunks()}0\r\nX: `, 'x'],
}

test.each(
  Object.entries(TRICKLES),
)('beside a flood of %s a slow upload and a paid call of the same address end, and others are answered', async (_what, [
  begun,
  piece,
]) => {
  await service.stop()
  service = await startTestService({ RATE_LIMIT_UNPAID: '6', TRUST_PROXY: '1' })
  const sockets = Array.from({ length: 16 }, () => connect(service.port, '127.0.0.1'))
  let isOver = false
  for (const socket of sockets) {
    socket.on('error', () => {}).write(begun)
    const trickle = () => {
      if (isOver || socket.destroyed) return
      socket.write(piece.repeat(20), () => setImmediate(trickle))
    }
    trickle()
  }
  const body = `${JSON.stringify({ value: IBAN })}${' '.repeat(2_000)}`
  const paying = `Connection: close\r\nPAYMENT-SIGNATURE: ${await service.pay()}\r\n`
  const request = post('/api/validate/iban', body, paying)
  const slow = connect(service.port, '127.0.0.1')
  const received: string[] = []
  slow.on('data', (chunk) => received.push(chunk.toString()))
  const ended = new Promise((resolve) => slow.once('close', resolve))
  for (let at = 0; at < request.length; at += 100) {
    slow.write(request.slice(at, at + 100))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await ended
  expect(received.join('')).toMatch(/^HTTP\/1\.1 200 /)
  const paid = await service.check('iban', IBAN, { 'PAYMENT-SIGNATURE': await service.pay() })
  expect(paid.status).toBe(200)
  const headers = { 'X-Forwarded-For': '192.0.2.8' }
  expect((await fetch(`${service.url}/healthz`, { headers })).status).toBe(200)
  isOver = true
  for (const socket of sockets) socket.destroy()
})

test('an address that holds more connections than it may does not keep others of its requests from being served', async () => {
  await service.stop()
  service = await startTestService({ MAX_CONNECTIONS: '320' })
  // It may have 16.
  const held = Array.from({ length: 17 }, () => openPipe(service.port))
  pipes.push(...held)
  const health = Buffer.from(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\n\r\n`)
  const input = {
    kind: 'health',
    bytes: health,
    framed: true,
    method: 'GET',
    port: 'public',
    surface: 'free',
  } as const
  const answers = await Promise.all(held.map((pipe) => pipe.send([input])))
  const statuses = answers.map(([first]) => first?.answer?.status)
  expect(statuses).toContain(503)
  expect(statuses).toContain(200)
  for (const pipe of pipes.splice(0)) pipe.close()
  await expect.poll(async () => (await fetch(`${service.url}/healthz`)).status).toBe(200)
})
