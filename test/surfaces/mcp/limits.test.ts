/** What is stopped before it is read, what is counted, and what a defect in between leaves. */
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { unpaidLimiter } from '../../../src/http/limits/unpaid-limiter.ts'
import { call, type McpService, type Reply, type ServiceOptions, startForTest } from './mcp-service.ts'

const PING = { jsonrpc: '2.0', id: 7, method: 'ping' }
const fail = (): never => {
  throw new TypeError('CANARY-7391')
}

/** What comes back for these bytes, of which more were announced. */
function unfinished({ port }: McpService, headers: readonly string[], body = ''): Promise<string> {
  const lines = ['POST /mcp HTTP/1.1', 'Host: localhost', ...headers]
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('data', (chunk) => {
      received += chunk.toString()
    })
    socket.on('error', reject).on('close', () => resolve(received))
    socket.on('end', () => socket.destroy())
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  })
}

test('a client over its limit gets 429 before it sends what is too long for one call', async () => {
  const mcp = await startForTest({ blocked: 30 })
  const headers = ['Content-Type: application/json', 'Content-Length: 65537']
  expect(await unfinished(mcp, headers)).toMatch(/^HTTP\/1\.1 429 /)
})

test('requests over the limit are 429, the junk among them too', async () => {
  const limiter = unpaidLimiter({ perMinute: 2, trustedProxies: 0 })
  const mcp = await startForTest({ limiter })
  const statuses = []
  for (let round = 0; round < 3; round += 1) statuses.push((await mcp.ask({ body: '{' })).status)
  limiter.close()
  expect(statuses).toEqual([400, 400, 429])
})

test('a refused body that will not end is cut off', async () => {
  const mcp = await startForTest()
  const socket = connect(mcp.port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString()
  })
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.on('error', () => {})
  socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n')
  socket.write('Content-Type: text/plain\r\n\r\n')
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  socket.write(chunk)
  await expect.poll(() => received).toContain('HTTP/1.1 415')
  for (let sent = 0; sent < 40; sent += 1) socket.write(chunk)
  await closed
})

test('the log has the outcome of each call, and the reason of each refusal', async () => {
  const mcp = await startForTest()
  await mcp.post(call('good'))
  await mcp.post(call('good', { 'x402/payment': {} }))
  await mcp.post(PING)
  await mcp.ask({ method: 'GET' })
  const of = { route: '/mcp', surface: 'mcp' }
  await expect
    .poll(() => mcp.lines)
    .toEqual([
      { ...of, type: 'iban', code: 'payment_required' },
      { ...of, type: 'iban', code: 'sold' },
      of,
      { ...of, code: 'method_not_allowed' },
    ])
})

const CODE_OF_RESULT = (json: Reply['json']) => json.result._meta['format-checker/error'].code

test.each<[string, ServiceOptions, object, [number, unknown], (json: Reply['json']) => unknown]>([
  ['before the protocol', { limiter: { blocked: fail } }, PING, [500, -32603], ({ error }) => error.code],
  [
    'at the counter',
    { limiter: { hit: fail } },
    call(7, { 'x402/payment': {} }),
    [200, 'internal_error'],
    CODE_OF_RESULT,
  ],
])('a defect %s is an internal error and one log line without its words', async (_where, options, message, shown, codeOf) => {
  const mcp = await startForTest(options)
  const answer = await mcp.post(message)
  expect([answer.status, codeOf(answer.json)]).toEqual(shown)
  expect(mcp.logged).toHaveLength(1)
  expect(JSON.stringify(mcp.logged) + answer.text).not.toContain('CANARY')
})

test('an answer that has begun is cut off by a defect', async () => {
  const mcp = await startForTest({ begun: true })
  await expect(mcp.post(PING)).rejects.toThrow()
  expect(mcp.logged).toHaveLength(1)
})
