/** Thirty ways in which one address can keep a service busy without paying. */
import { httpRequest } from '../load/http-request.ts'
import { IBAN } from '../load/paid-request.ts'

export interface Shape {
  readonly name: string
  readonly connections: number
  /** What a connection sends at once. */
  readonly bytes: Buffer
  /** Responses to what is sent at once. */
  readonly answers: number
  /**
   * `answered`: sent again after the last answer; `unread`: sent once, and no answer is read; `dripped`: never whole, sent
   * again when the connection is closed; `churned`: sent again over a new connection.
   */
  readonly way: 'answered' | 'unread' | 'dripped' | 'churned'
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

/** Below the default of MAX_CONNECTIONS_PER_ADDRESS, so that clients beside the flood can connect. */
const MOST = 500

function shape(
  name: string,
  request: Buffer,
  answers = 1,
  { connections = MOST, way = 'answered' }: Partial<Pick<Shape, 'connections' | 'way'>> = {},
): Shape {
  return { name, connections, bytes: Buffer.concat(Array(answers).fill(request)), answers, way }
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

export const SHAPES: readonly Shape[] = [
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
]
