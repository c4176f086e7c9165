/** Ways in which one address can keep a service busy without paying. */
import { randomBytes } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { PaymentRequirements } from '@x402/core/types'
import { httpRequest } from '../load/http-request.ts'
import { IBAN } from '../load/paid-request.ts'

export interface Shape {
  readonly name: string
  readonly connections: number
  /** What a connection sends at once; connections send different requests if the shape has several. */
  readonly bytesOf: (connection: number) => Buffer
  /** Responses to what is sent at once. */
  readonly answers: number
  /**
   * `answered`: sent again after the last answer; `unread`: sent once, and no answer is read; `sipped`: 1 kB of the answers is
   * read every 100 ms; `dripped`: never whole, sent again when the connection is closed; `trickled`: the last bytes one by one,
   * every 100 ms; `halved`: the sending side ends; `churned`: sent again over a new connection; `endless`: `piece` follows
   * again and again, as fast as the service reads.
   */
  readonly way: 'answered' | 'unread' | 'sipped' | 'dripped' | 'trickled' | 'halved' | 'churned' | 'endless'
  readonly piece?: Buffer
}

const JSON_TYPE = { 'Content-Type': 'application/json' }
const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  httpRequest({ method: 'GET', path, headers })
const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  httpRequest({
    method: 'POST',
    path,
    headers: { ...JSON_TYPE, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** Below what one address may have of the default of MAX_CONNECTIONS, so that clients beside the flood can connect. */
const MOST = 488

function shape(
  name: string,
  requests: Buffer | readonly Buffer[],
  answers = 1,
  { connections = MOST, way = 'answered' }: Partial<Pick<Shape, 'connections' | 'way'>> = {},
): Shape {
  const all = [requests].flat()
  const bytesOf = (connection: number) =>
    Buffer.concat(
      Array.from({ length: answers }, (_, at) => all[(connection * answers + at) % all.length] as Buffer),
    )
  return { name, connections, bytesOf, answers, way }
}

const REST = '/api/validate/iban'
const MCP = { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' }
const rpc = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params })
const message = (part: unknown) =>
  rpc('SendMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [part] } })
const a2a = (body: unknown) => post('/a2a', body, { 'A2A-Version': '1.0' })
/** Well-formed, and signed with no key. */
const FORGED = Buffer.from(
  JSON.stringify({
    x402Version: 2,
    payload: {
      authorization: {
        from: `0x${'11'.repeat(20)}`,
        to: `0x${'22'.repeat(20)}`,
        value: '1000',
        validAfter: '0',
        validBefore: '99999999999',
        nonce: `0x${'33'.repeat(32)}`,
      },
      signature: `0x${'44'.repeat(64)}1b`,
    },
    accepted: { scheme: 'exact', network: 'eip155:8453' },
  }),
).toString('base64')

const inHeader = (payment: unknown) => Buffer.from(JSON.stringify(payment)).toString('base64')
const paying = (header: string) => post(REST, { value: IBAN }, { 'PAYMENT-SIGNATURE': header })

/** Signed by no account that is known, each by another, for the terms that are offered. */
function strangers(accepted: PaymentRequirements): readonly Buffer[] {
  return Array.from({ length: 512 }, () => {
    const [from, nonce, halves] = [20, 32, 64].map((length) => randomBytes(length).toString('hex'))
    const { payTo: to, amount: value } = accepted
    const validBefore = String(Math.floor(Date.now() / 1000) + 60)
    const authorization = {
      ...{ from: `0x${from}`, to, value, validAfter: '0', validBefore },
      nonce: `0x${nonce}`,
    }
    // A low s, as a chain takes it.
    const signature = `0x${halves?.slice(0, 64)}3${halves?.slice(65)}1b`
    return paying(inHeader({ x402Version: 2, payload: { authorization, signature }, accepted }))
  })
}

const DOCUMENTS = [
  ...['/', '/docs', '/docs/operations', '/lists', '/status', '/llms.txt', '/llms-full.txt', '/openapi.json'],
  ...[
    '/api/types',
    '/.well-known/x402',
    '/.well-known/agent-card.json',
    '/.well-known/api-catalog',
    '/robots.txt',
  ],
].map((path) => get(path, { Accept: '*/*' }))
const CLIENT_HELLO = Buffer.concat([Buffer.from('1603010200010001fc0303', 'hex'), randomBytes(508)])
const raw = (...lines: readonly string[]) => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
const CHUNKED = raw(
  ...[`POST ${REST} HTTP/1.1`, 'Host: a', 'Content-Type: application/json', 'Transfer-Encoding: chunked'],
)
const TINY_CHUNKS = Buffer.concat([CHUNKED, Buffer.from(`${'1\r\nx\r\n'.repeat(9_000)}0\r\n\r\n`)])
/** The service reads so many bytes at once. */
const READ_BYTES = 65_536
/** A head, a body and trailers that never end, in pieces of so many bytes. */
const endless = [1, 7, 100].flatMap((bytes) => {
  const letters = 'x'.repeat(bytes)
  return [
    ['heads', `POST ${REST} HTTP/1.1\r\nX: `, letters],
    ['bodies', String(CHUNKED), `${bytes.toString(16)}\r\n${letters}\r\n`],
    ['trailers', `${CHUNKED}0\r\nX: `, letters],
  ].map(([what, begun = '', piece = '']) => ({
    ...shape(`${what} in pieces of ${bytes} B`, Buffer.from(begun), 1, { way: 'endless' }),
    connections: 400,
    piece: Buffer.from(piece.repeat(Math.ceil(READ_BYTES / piece.length))),
  }))
})
const SLOWLY = [REST, '/a2a', '/mcp'].map((path) => post(path, { value: 'x'.repeat(60_000) }))
const packed = (encoding: string, bytes: Buffer) =>
  Buffer.concat([
    raw(
      ...[`POST ${REST} HTTP/1.1`, 'Host: a', 'Content-Type: application/json'],
      ...[`Content-Encoding: ${encoding}`, `Content-Length: ${bytes.length}`],
    ),
    bytes,
  ])
const ZEROES = Buffer.alloc(2 ** 24)

export const shapesFor = (accepted: PaymentRequirements): readonly Shape[] => [
  shape('llms-full.txt, 60 in a burst, never read', get('/llms-full.txt'), 60, {
    connections: 400,
    way: 'unread',
  }),
  shape('llms-full.txt, 64 pipelined', get('/llms-full.txt'), 64),
  shape('llms-full.txt, one at a time', get('/llms-full.txt')),
  shape('llms.txt, 16 pipelined', get('/llms.txt'), 16),
  shape('openapi.json, 8 pipelined', get('/openapi.json'), 8),
  shape('front page, 4 pipelined', get('/', { Accept: 'text/html' }), 4),
  shape('a document compressed, 4 pipelined', get('/docs/operations', { 'Accept-Encoding': 'br' }), 4),
  shape('search index, one at a time', get('/docs', { Accept: 'text/html' })),
  shape('agent card, 16 pipelined', get('/.well-known/agent-card.json'), 16),
  shape('unknown paths, 16 pipelined', get('/nothing'), 16),
  shape('HEAD, 32 pipelined', httpRequest({ method: 'HEAD', path: '/llms-full.txt' }), 32),
  shape('not modified, 32 pipelined', get('/llms-full.txt', { 'If-None-Match': '*' }), 32),
  shape(
    'preflights, 16 pipelined',
    httpRequest({
      method: 'OPTIONS',
      path: REST,
      headers: { Origin: 'https://a.test', 'Access-Control-Request-Method': 'POST' },
    }),
    16,
  ),
  shape('healthz, 64 pipelined', get('/healthz'), 64),
  shape('readyz, 64 pipelined', get('/readyz'), 64),
  shape('status.json, 16 pipelined', get('/status.json'), 16),
  shape('payment states, 8 pipelined', get(`/payments/0x${'11'.repeat(20)}/0x${'33'.repeat(32)}`), 8),
  shape('unpaid calls, one at a time', post(REST, { value: IBAN })),
  shape('unpaid calls, 32 pipelined', post(REST, { value: IBAN }), 32, { connections: 64 }),
  shape('bad JSON, 16 pipelined', post(REST, '{'), 16),
  shape('bodies of 60 kB', post(REST, { value: 'x'.repeat(60_000) }), 1, { connections: 128 }),
  shape(
    'lists of 900 kB',
    post('/api/validate/batch', { items: Array(9_000).fill({ type: 'iban', value: 'x'.repeat(70) }) }),
    1,
    { connections: 64 },
  ),
  shape('A2A orders', a2a(message({ data: { skill: 'iban', input: { value: IBAN } } }))),
  shape('A2A small talk, 8 pipelined', a2a(message({ text: 'hello, what can you do for me?' })), 8),
  shape(
    'MCP calls',
    post('/mcp', rpc('tools/call', { name: 'validate_iban', arguments: { value: IBAN } }), MCP),
  ),
  shape('MCP tools/list, 8 pipelined', post('/mcp', rpc('tools/list', {}), MCP), 8),
  shape('forged payments, 8 pipelined', post(REST, { value: IBAN }, { 'PAYMENT-SIGNATURE': FORGED }), 8),
  shape('heads of 31 kB', get('/nothing', { 'X-Long': 'x'.repeat(31_000) }), 1, { connections: 128 }),
  shape('heads that never end', Buffer.from('GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n'), 1, { way: 'dripped' }),
  shape('a new connection for each call', get('/healthz', { Connection: 'close' }), 1, {
    connections: 64,
    way: 'churned',
  }),
  shape('a new connection for each 64 pipelined', get('/healthz'), 64, { connections: 64, way: 'churned' }),
  shape('tiny requests, 2,000 pipelined', raw('GET /nothing HTTP/1.1', 'Host: a'), 2_000),
  shape('every document in turn, sipped', DOCUMENTS, 16, { way: 'sipped' }),
  shape('every document in turn, 13 pipelined', DOCUMENTS, 13),
  shape('asked, and the sending side ended', DOCUMENTS, 4, { way: 'halved' }),
  shape('connections that ask nothing', Buffer.alloc(0), 1, { way: 'dripped' }),
  shape('heads that drip', get(`/${'x'.repeat(400)}`), 1, { way: 'trickled' }),
  shape('bodies that drip, on each surface', SLOWLY, 1, { way: 'trickled' }),
  shape(
    'bodies announced and not sent',
    raw(
      `POST ${REST} HTTP/1.1`,
      'Host: a',
      'Content-Type: application/json',
      'Content-Length: 60000',
      'Expect: 100-continue',
    ),
    1,
    { way: 'dripped' },
  ),
  ...endless,
  shape('chunks of one byte', TINY_CHUNKS, 1, { connections: 64 }),
  shape(
    'compressed bodies',
    [packed('gzip', gzipSync(ZEROES)), packed('br', brotliCompressSync(ZEROES))],
    1,
    {
      connections: 128,
      way: 'churned',
    },
  ),
  shape('JSON nested 30,000 deep', post(REST, '['.repeat(30_000) + ']'.repeat(30_000)), 1, {
    connections: 128,
  }),
  shape(
    'ranges and dates, 32 pipelined',
    get('/llms-full.txt', {
      Range: `bytes=${Array.from({ length: 200 }, (_, at) => `${at}-`).join(',')}`,
      'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT',
    }),
    32,
  ),
  shape(
    'two hundred headers, each twice, 4 pipelined',
    raw('GET /nothing HTTP/1.1', 'Host: a', ...Array.from({ length: 400 }, (_, at) => `X-${at % 200}: y`)),
    4,
    { connections: 128 },
  ),
  shape(
    'upgrades',
    ['websocket', 'h2c'].map((Upgrade) => get('/', { Connection: 'Upgrade', Upgrade })),
    1,
  ),
  shape('TLS to the port of HTTP', CLIENT_HELLO, 1, { connections: 128, way: 'churned' }),
  shape(
    'payments of 1 to 15 kB',
    [1, 2, 4, 8, 11].map((kilobytes) =>
      paying(
        inHeader({
          x402Version: 2,
          payload: { nested: '['.repeat(kilobytes * 512) + ']'.repeat(kilobytes * 512) },
          accepted,
        }),
      ),
    ),
    4,
    { connections: 128 },
  ),
  shape('payments of strangers, 8 pipelined', strangers(accepted), 8),
  shape(
    'A2A streams',
    post(
      '/a2a',
      rpc('SendStreamingMessage', {
        message: {
          messageId: 'm',
          role: 'ROLE_USER',
          parts: [{ data: { skill: 'iban', input: { value: IBAN } } }],
        },
      }),
      { 'A2A-Version': '1.0', Accept: 'text/event-stream' },
    ),
  ),
  shape(
    'A2A tasks that are not there, 16 pipelined',
    ['GetTask', 'SubscribeToTask', 'CancelTask'].map((method) =>
      a2a(rpc(method, { id: randomBytes(16).toString('hex') })),
    ),
    16,
  ),
  shape(
    'MCP sessions, 8 pipelined',
    post(
      '/mcp',
      rpc('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      }),
      MCP,
    ),
    8,
  ),
  shape('MCP event streams', get('/mcp', { Accept: 'text/event-stream' })),
]
