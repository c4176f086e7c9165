import { afterEach, describe, expect, test, vi } from 'vitest'
import { call, enveloped, MODERN, modernHeaders, startForTest } from './mcp-service.ts'

const CANARY = 'PL61109010140000071219812874'
const PAID = { 'x402/payment': { x402Version: 2 } }

afterEach(() => {
  vi.restoreAllMocks()
})

/** Everything the process writes while a test runs. */
function listenToProcess(): () => string {
  const written: unknown[] = []
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => written.push(chunk) > 0)
  }
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...words) => void written.push(...words))
  }
  return () => written.map(String).join('')
}

const client = { name: CANARY, version: CANARY }
const everywhere = {
  [CANARY]: CANARY,
  progressToken: 1,
  'io.modelcontextprotocol/clientInfo': client,
}

describe('a value is nowhere in what comes back or is written', () => {
  const listing: [string, object, Record<string, string>?][] = [
    ['an unpaid call', call(CANARY, everywhere)],
    ['a paid call', call(CANARY, { ...everywhere, ...PAID })],
    ['a call of a tool of that name', call('x', PAID, CANARY)],
    ['a paid call of a tool of that name with it as payment', call('x', { 'x402/payment': CANARY })],
    [
      'an extra argument',
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'validate_iban', arguments: { value: 'x', [CANARY]: CANARY } },
      },
    ],
    [
      'arguments that are no object',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'validate_iban', arguments: CANARY } },
    ],
    ['params that are no object', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: CANARY }],
    ['a method', { jsonrpc: '2.0', id: 1, method: CANARY }],
    ['a resource', { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: CANARY } }],
    ['a cursor', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: CANARY } }],
    [
      'a protocol version',
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: CANARY, capabilities: { [CANARY]: {} }, clientInfo: client },
      },
    ],
    ['a request without an envelope', { jsonrpc: CANARY, id: 1, method: 'ping', [CANARY]: CANARY }],
    ['a notification', { jsonrpc: '2.0', method: CANARY, params: { [CANARY]: CANARY } }],
    ['a response', { jsonrpc: '2.0', id: CANARY, result: { [CANARY]: CANARY } }],
    ['an error response', { jsonrpc: '2.0', id: 1, error: { code: 1, message: CANARY } }],
    ['text', CANARY as unknown as object],
    ['a session id', { jsonrpc: '2.0', id: 1, method: 'ping' }, { 'mcp-session-id': CANARY }],
    ['a version header', { jsonrpc: '2.0', id: 1, method: 'ping' }, { 'mcp-protocol-version': CANARY }],
    ['a host', { jsonrpc: '2.0', id: 1, method: 'ping' }, { host: CANARY }],
    ['an origin', { jsonrpc: '2.0', id: 1, method: 'ping' }, { origin: `http://${CANARY}` }],
    ['a content type', { jsonrpc: '2.0', id: 1, method: 'ping' }, { 'content-type': CANARY }],
    ['a modern tool', enveloped(call('x', undefined, CANARY)), modernHeaders(call('x', undefined, CANARY))],
    ['a modern name header', enveloped(call('x')), { ...modernHeaders(call('x')), 'mcp-name': CANARY }],
    ['a modern method header', enveloped(call('x')), { ...modernHeaders(call('x')), 'mcp-method': CANARY }],
    ['a modern method', enveloped({ method: CANARY }), modernHeaders({ method: CANARY })],
    [
      'a modern resource',
      enveloped({ method: 'resources/read', params: { uri: CANARY } }),
      modernHeaders({ method: 'resources/read', params: { uri: CANARY } }),
    ],
    [
      'a modern version',
      JSON.parse(JSON.stringify(enveloped({ method: 'ping' })).replace(MODERN, CANARY)),
      { 'mcp-protocol-version': CANARY, 'mcp-method': 'ping' },
    ],
    [
      'a modern subscription',
      enveloped({
        method: 'subscriptions/listen',
        params: { notifications: { resourceSubscriptions: [CANARY] } },
      }),
      modernHeaders({ method: 'subscriptions/listen' }),
    ],
  ]

  test.each(listing)('%s', async (_, message, headers = {}) => {
    const mcp = await startForTest()
    const written = listenToProcess()
    const { text, headers: answered } = await mcp.post(message, headers)
    vi.restoreAllMocks()
    const everything =
      text + JSON.stringify(answered) + JSON.stringify(mcp.logged) + mcp.counted.join() + written()
    expect(everything).not.toContain(CANARY)
    expect(mcp.logged).toEqual([])
  })

  test('broken JSON around it', async () => {
    const mcp = await startForTest()
    const { text } = await mcp.ask({ body: `{"method":"${CANARY}` })
    expect(text).not.toContain(CANARY)
  })
})

describe('an id with the value in it is refused, and not repeated', () => {
  const withArguments = (args: unknown) => ({
    jsonrpc: '2.0',
    id: CANARY,
    method: 'tools/call',
    params: { name: 'validate_iban', arguments: args },
  })
  const withToken = (progressToken: unknown) => call(CANARY, { progressToken, ...PAID })

  test.each<[string, object]>([
    ['the id is the value', call(CANARY, PAID, 'validate_iban', CANARY)],
    ['the id contains it', call(CANARY, PAID, 'validate_iban', `job-${CANARY}-1`)],
    [
      'the id spells it with spaces',
      call(CANARY, PAID, 'validate_iban', 'PL61 1090 1014 0000 0712 1981 2874'),
    ],
    [
      'the id spells it with other signs',
      call(CANARY, PAID, 'validate_iban', 'PL61_1090/1014:0000_0712_1981_2874'),
    ],
    ['the id is in lower case', call(CANARY, PAID, 'validate_iban', CANARY.toLowerCase())],
    ['the progress token is the value', withToken(CANARY)],
    ['the id is the value as a number', call('440514-01359', PAID, 'validate_pl_pesel', 44051401359)],
    ['the value is as short as an address', call('x@yz.pl', PAID, 'validate_email', 'X@YZ.PL')],
    ['the value is a number too', call(44051401359, PAID, 'validate_pl_pesel', 44051401359)],
    ['the value is under a wrong name', withArguments({ iban: CANARY })],
    ['the value is deeper than it may be', withArguments({ value: { iban: [CANARY] } })],
    ['the value is in a list', withArguments([CANARY])],
    ['the value is all of the arguments', withArguments(CANARY)],
  ])('%s', async (_, message) => {
    const mcp = await startForTest()
    for (const answer of [await mcp.post(message), await mcp.modern(message as never)]) {
      expect(answer.status).toBe(400)
      expect(answer.json).toMatchObject({ id: null, error: { code: -32600 } })
      expect(answer.text.replaceAll(' ', '')).not.toMatch(/10901014|44051401359/)
    }
    expect(mcp.sent).toEqual([])
  })

  test.each([
    ['1', 1],
    ['12345', 12_345],
    ['1-2.3 45', 'job 12345'],
  ])('an id that meets the short value %j by chance is no reason to refuse', async (value, id) => {
    const mcp = await startForTest()
    const { json } = await mcp.post(call(value, PAID, 'validate_iban', id))
    expect(json.id).toBe(id)
    expect(mcp.sent).toHaveLength(1)
  })
})
