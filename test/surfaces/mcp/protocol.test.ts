import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consequencesOf } from '../../../src/errors.ts'
import { errorBody, inPlainWords } from '../../../src/surfaces/mcp/protocol-error.ts'
import {
  call,
  enveloped,
  type McpService,
  MODERN,
  modernHeaders,
  startForTest,
  startMcp,
} from './mcp-service.ts'

let mcp: McpService
beforeAll(async () => {
  mcp = await startMcp()
})
afterAll(() => mcp.close())

const PING = { jsonrpc: '2.0', id: 7, method: 'ping' }
const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
})

test('an internal error may be repeated, and what the protocol refuses must be mended', () => {
  const dataOf = (code: number) => JSON.parse(errorBody(1, code, 'message')).error.data
  expect(dataOf(-32603)).toEqual(consequencesOf('internal_error'))
  expect(dataOf(-32600)).toEqual({ charged: false, retry: 'fix' })
})

test.each([
  [-32700, /^Parse error/],
  [-32600, /^Invalid request/],
  [-32601, /^Method not found/],
  [-32602, /^Invalid params/],
  [-32603, /^Internal error/],
  [-32020, /^Header mismatch/],
  [-32021, /client capability/],
  [-32022, /^Unsupported protocol version/],
  [-32099, /^The request was refused/],
])('the error %i of the SDK is said in constant words', (code, words) => {
  const said = JSON.stringify({ jsonrpc: '2.0', id: 7, error: { code, message: 'canary' } })
  const { body, code: read } = inPlainWords(said, '2025-11-25')
  expect(read).toBe(code)
  expect(JSON.parse(body)).toMatchObject({ id: 7, error: { code, message: expect.stringMatching(words) } })
  expect(body).not.toContain('canary')
})

test('an answer that only speaks of an error is left as it is', () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, result: { error: { code: 1 } } })
  expect(inPlainWords(body, undefined)).toEqual({ body })
})

describe('older revisions', () => {
  test.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2024-11-05', '2024-11-05'],
    // It asks for batches, which are refused here; its clients speak the older one too.
    ['2025-03-26', '2024-11-05'],
    ['2024-10-07', '2024-11-05'],
  ])('a client of %s gets %s', async (asked, version) => {
    const { status, json, headers } = await mcp.post(initialize(asked))
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('application/json')
    expect(headers['mcp-session-id']).toBeUndefined()
    expect(json.result.protocolVersion).toBe(version)
    expect(json.result.serverInfo).toMatchObject({ name: 'format-checker', version: '1.2.0' })
    expect(json.result.capabilities).toEqual({
      tools: { listChanged: false },
      resources: { listChanged: false },
      prompts: { listChanged: false },
    })
  })

  test('an unknown version is answered with the newest of the older ones', async () => {
    const { json } = await mcp.post(initialize('2099-01-01'))
    expect(json.result.protocolVersion).toBe('2025-11-25')
  })

  test.each([
    ['application/json'],
    ['*/*'],
    ['application/*'],
    ['text/html'],
    ['application/json, text/event-stream'],
    ['text/event-stream'],
  ])('JSON for Accept: %s', async (accept) => {
    const { status, headers, json } = await mcp.post(PING, { accept })
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('application/json')
    expect(json).toEqual({ jsonrpc: '2.0', id: 7, result: {} })
  })

  test('a stale session id is ignored', async () => {
    const { status } = await mcp.post(PING, { 'mcp-session-id': 'gone' })
    expect(status).toBe(200)
  })

  test('a notification and a posted response are accepted without an answer', async () => {
    const notification = await mcp.post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([notification.status, notification.text]).toEqual([202, ''])
    const response = await mcp.post({ jsonrpc: '2.0', id: 1, result: {} })
    expect([response.status, response.text]).toEqual([202, ''])
  })

  test('an unknown method is a JSON-RPC error', async () => {
    const { status, json } = await mcp.post({ jsonrpc: '2.0', id: 3, method: 'completion/complete' })
    expect(status).toBe(200)
    expect(json).toMatchObject({ id: 3, error: { code: -32601 } })
  })

  test('an unknown version header is refused', async () => {
    const { status, json } = await mcp.post(PING, { 'mcp-protocol-version': '1999-12-31' })
    expect(status).toBe(400)
    expect(json.error.code).toBe(-32000)
  })

  test.each([
    ['tools/list', { cursor: 1 }],
    ['resources/read', {}],
    ['initialize', {}],
    ['tools/call', { name: 1 }],
    ['tools/call', { name: 'validate_iban', arguments: [] }],
  ])('%s with params %j is refused as the fault of its params', async (method, params) => {
    const { status, json } = await mcp.post({ jsonrpc: '2.0', id: 1, method, params })
    expect([status, json.error.code]).toEqual([200, -32602])
  })

  test.each<[string, object, Record<string, string>]>([
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'completion/complete' }, {}],
    ['an unknown tool', call('x', undefined, 'validate_canary'), {}],
    ['an unknown version', PING, { 'mcp-protocol-version': '1999-12-31' }],
    ['no request', {}, {}],
    ['a foreign page', PING, { origin: 'https://page.example' }],
  ])('%s: the error says that nothing was charged and what to do', async (_, body, headers) => {
    const { json } = await mcp.post(body, headers)
    expect(json.error.data).toMatchObject({ charged: false, retry: 'fix' })
  })

  test('an unknown tool is an error of the protocol', async () => {
    const { status, json } = await mcp.post(call('x', undefined, 'validate_canary'))
    expect(status).toBe(200)
    expect(json).toMatchObject({ id: 1, error: { code: -32602 } })
    expect(mcp.counted.at(-1)).toBe('hit unpaid')
  })
})

describe('2026-07-28', () => {
  test('server/discover says what there is', async () => {
    const { status, json } = await mcp.modern({ method: 'server/discover' })
    expect(status).toBe(200)
    expect(json.result).toMatchObject({
      supportedVersions: [MODERN],
      capabilities: { tools: {}, resources: {} },
      ttlMs: 3_600_000,
      cacheScope: 'public',
    })
  })

  test.each([
    'tools/list',
    'resources/list',
    'resources/templates/list',
  ])('%s may be cached', async (method) => {
    const { status, json } = await mcp.modern({ method })
    expect(status).toBe(200)
    expect(json.result).toMatchObject({ resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'public' })
  })

  test('Accept is not looked at', async () => {
    const { status, headers } = await mcp.modern({ method: 'tools/list' }, { accept: 'text/html' })
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('application/json')
  })

  test('an unknown method is 404', async () => {
    const { status, json } = await mcp.modern({ method: 'completion/complete' })
    expect([status, json.error.code]).toEqual([404, -32601])
  })

  test.each([
    ['no version header', { 'mcp-protocol-version': '' }],
    ['no Mcp-Method', { 'mcp-method': '' }],
    ['no Mcp-Name', { 'mcp-name': '' }],
    ['another Mcp-Method', { 'mcp-method': 'ping' }],
    ['another Mcp-Name', { 'mcp-name': 'validate_email' }],
    ['another version', { 'mcp-protocol-version': '2025-11-25' }],
  ])('%s is a header mismatch', async (_, changed) => {
    const message = call('good')
    const headers = Object.fromEntries(
      Object.entries({ ...modernHeaders(message), ...changed }).filter(([, value]) => value !== ''),
    )
    const { status, json } = await mcp.ask({ headers, body: JSON.stringify(enveloped(message)) })
    expect([status, json.error.code]).toEqual([400, -32020])
    expect(json.error.message).toMatch(/^Header mismatch: .* repeat the body/)
  })

  test.each([
    ['2099-01-01', '2099-01-01'],
    ['v1.30.0', 'v1.30.0'],
    ['44051401359', 'unknown'],
    ['44051401359-01-01', 'unknown'],
    ['v1.44051401359.0', 'unknown'],
    ['2099-44051401359-01', 'unknown'],
    ['2099-01-44051401359', 'unknown'],
    ['v44051401359.0.0', 'unknown'],
    ['v1.0.44051401359', 'unknown'],
    ['44051401359v1.0.0', 'unknown'],
    ['v1.0.0-44051401359', 'unknown'],
    ['v1.3.10', 'v1.3.10'],
  ])('the version %s is refused with those that are spoken, and named as %s', async (version, requested) => {
    const body = JSON.stringify(enveloped({ method: 'tools/list' })).replace(MODERN, version)
    const headers = { 'mcp-protocol-version': version, 'mcp-method': 'tools/list' }
    const { status, json } = await mcp.ask({ headers, body })
    expect(status).toBe(400)
    expect(json.error).toMatchObject({
      code: -32022,
      data: { supported: [MODERN], requested },
    })
  })

  test.each([
    '2030-01-01',
    '2025-11-2',
  ])('a header with a version that is not spoken is refused in words about it: %s', async (version) => {
    const { status, json } = await mcp.post(PING, { 'mcp-protocol-version': version })
    expect(status).toBe(400)
    expect(json.error.message).toMatch(/^Unsupported protocol version: .*MCP-Protocol-Version/)
    for (const spoken of [MODERN, '2025-11-25', '2024-11-05']) expect(json.error.message).toContain(spoken)
    expect(json.error.message).not.toContain(version === '2030-01-01' ? version : '2025-11-2 ')
  })

  test('the version header without the envelope is refused', async () => {
    const { status, json } = await mcp.post(PING, { 'mcp-protocol-version': MODERN })
    expect([status, json.error.code]).toEqual([400, -32602])
  })

  test('a subscription is acknowledged empty and ends at once', async () => {
    const { status, text } = await mcp.modern({
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true } },
    })
    expect(status).toBe(200)
    expect(text).toContain('event: message')
  })
})

/** As text, because not all of these are a call by the protocol. */
const toolCall = (args: unknown, envelope: object = { id: 1 }) =>
  JSON.stringify({
    jsonrpc: '2.0',
    method: 'tools/call',
    params: { name: 'validate_iban', arguments: args },
    ...envelope,
  })

describe('what both refuse', () => {
  test.each([
    ['older', [PING, PING]],
    ['2026-07-28', [enveloped({ method: 'tools/list' })]],
    ['empty', []],
  ])('a batch (%s)', async (_, batch) => {
    const { status, json } = await mcp.post(batch)
    expect(status).toBe(400)
    expect(json).toMatchObject({ id: null, error: { code: -32600 } })
  })

  test.each(['GET', 'DELETE', 'PUT', 'PATCH'])('%s', async (method) => {
    const { status, headers, json } = await mcp.ask({ method })
    expect(status).toBe(405)
    expect(headers.allow).toBe('POST, OPTIONS')
    expect(json.error.data.code).toBe('method_not_allowed')
  })

  test('HEAD, without a body', async () => {
    const { status, headers } = await mcp.ask({ method: 'HEAD' })
    expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS'])
  })

  test.each([
    ['text/plain', undefined],
    ['application/x-www-form-urlencoded', undefined],
    ['application/json; charset=iso-8859-1', undefined],
    ['application/json', 'gzip'],
    ['application/json', 'identity, gzip'],
  ])('content type %s, encoding %s', async (type, encoding) => {
    const headers = { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) }
    const { status, json, headers: answered } = await mcp.post(PING, headers)
    expect(status).toBe(415)
    expect(json.id).toBeNull()
    const says = encoding === undefined ? 'application/json' : undefined
    expect([answered.accept, answered['accept-encoding']]).toEqual([says, encoding && 'identity'])
  })

  test.each(['identity', 'Identity', ' identity '])('encoding %j is no encoding', async (encoding) => {
    expect((await mcp.post(PING, { 'content-encoding': encoding })).status).toBe(200)
  })

  test('application/json with a charset is taken', async () => {
    const { status } = await mcp.post(PING, { 'content-type': 'application/json; charset=utf-8' })
    expect(status).toBe(200)
  })

  test.each([
    ['broken JSON', '{"jsonrpc":'],
    ['nothing', ''],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('%s is a parse error', async (_, body) => {
    const { status, json } = await mcp.ask({ body })
    expect(status).toBe(400)
    expect(json).toMatchObject({ id: null, error: { code: -32700 } })
  })

  test.each([
    ['{}'],
    ['null'],
    ['"x"'],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ['{"jsonrpc":"1.0","id":1}'],
  ])('%s is no request', async (body) => {
    const { status, json } = await mcp.ask({ body })
    expect(status).toBe(400)
    expect(json).toMatchObject({ id: null, error: { code: -32600 } })
  })

  test('a body of 65 kB, declared or not', async () => {
    const body = JSON.stringify({ ...PING, params: { pad: 'x'.repeat(65 * 1024) } })
    const declared = await mcp.ask({ body })
    expect([declared.status, declared.json.error.data.code]).toEqual([413, 'body_too_large'])
    const chunked = await mcp.ask({ headers: { 'transfer-encoding': 'chunked' }, body })
    expect(chunked.status).toBe(413)
  })

  test('a body just under the limit is read', async () => {
    const frame = JSON.stringify({ ...PING, params: { pad: '' } }).length
    const body = JSON.stringify({ ...PING, params: { pad: 'x'.repeat(64 * 1024 - frame) } })
    const { status } = await mcp.ask({ body })
    expect(status).toBe(200)
    const over = await mcp.ask({ body: `${body} ` })
    expect([over.status, over.json.error.data.code]).toEqual([413, 'body_too_large'])
  })

  test('an id of 128 characters is repeated', async () => {
    const id = 'x'.repeat(128)
    expect((await mcp.post({ ...PING, id })).json).toEqual({ jsonrpc: '2.0', id, result: {} })
  })

  test.each(['/mcp?value=1', '/mcp?'])('the query string of %s', async (path) => {
    const { status, json } = await mcp.ask({ path, body: JSON.stringify(PING) })
    expect(status).toBe(400)
    expect(json.error.data.code).toBe('query_not_allowed')
  })

  test.each([
    ['an unreadable body', '['],
    ['a request that is no call', JSON.stringify(PING)],
    ['a call of no tool', JSON.stringify(call('x', {}, 'validate_nothing'))],
    ['a call whose arguments are no object', toolCall('["x"]')],
    ['a call without an id', toolCall({ value: 'x' }, {})],
    ['a call with an id of null', toolCall({ value: 'x' }, { id: null })],
    ['a call under an unknown version', toolCall({ value: 'x' }), '1999-01-01'],
  ])('%s counts as a request without money', async (_what, body, version = '2025-11-25') => {
    const before = mcp.counted.length
    await mcp.ask({ body, headers: { 'mcp-protocol-version': version } })
    expect(mcp.counted.slice(before)).toEqual(['hit unpaid'])
  })

  test.each([
    ['of another content type', { headers: { 'content-type': 'text/plain' }, body: '{}' }],
    ['with a query', { path: '/mcp?value=1', body: '{}' }],
    ['for another host', { headers: { host: 'evil.example' }, body: '{}' }],
  ])('a POST %s counts too, and is 429 above the limit', async (_what, ask) => {
    const before = mcp.counted.length
    await mcp.ask(ask)
    expect(mcp.counted.slice(before)).toEqual(['hit unpaid'])
    const blocked = await startForTest({ blocked: 30 })
    expect((await blocked.ask(ask)).status).toBe(429)
  })

  test('a GET does not count: clients send one with each connection, to ask for a stream', async () => {
    const before = mcp.counted.length
    expect((await mcp.ask({ method: 'GET' })).status).toBe(405)
    expect(mcp.counted.slice(before)).toEqual([])
  })

  test('nothing of all this reached the sale', () => {
    expect(mcp.sent).toEqual([])
    expect(mcp.logged).toEqual([])
  })
})
