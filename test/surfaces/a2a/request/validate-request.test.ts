/** What the validation is for: each trap of the SDK's transport by name, and every kind of bad input. */
import { request } from 'node:http'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  type MockInstance,
  vi,
} from 'vitest'
import {
  IN_BAND,
  messageOf,
  order,
  sendRequest,
  stateOf,
  taskOf,
  taskRequest,
  VERSIONS,
  X402_V01,
  X402_V02,
} from '../a2a-client.ts'
import { type A2aService, type Reply, startA2aService } from '../a2a-service.ts'

const CANARY = 'PL8567346215'
const VALUE = 'DE89370400440532013000'

let service: A2aService
let consoleCalls: MockInstance[]
beforeAll(async () => {
  service = await startA2aService()
})
afterAll(() => service.close())
beforeEach(() => {
  consoleCalls = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(() => {}),
  )
})
afterEach(() => {
  // Whatever the test did, the SDK found nothing to write to the console.
  for (const spy of consoleCalls) expect(spy).not.toHaveBeenCalled()
  vi.restoreAllMocks()
  expect(JSON.stringify(service.logged)).not.toContain(CANARY)
  expect(service.double.settlements).toBe(0)
})

function expectError(reply: Reply, code: number, id: unknown = 1, status = 200): void {
  expect(reply.json).toMatchObject({ jsonrpc: '2.0', id, error: { code } })
  expect(reply.status).toBe(status)
  expect(reply.headers.get('content-type')).toContain('application/json')
  expect(reply.text).not.toContain(CANARY)
}

const ordering = (version: '1.0' | '0.3') => sendRequest(version, { parts: [order('iban', VALUE)] })

describe('the version', () => {
  it.each([
    ['the header', { 'A2A-Version': '1.0' }, ''],
    ['the header with a patch number', { 'A2A-Version': '1.0.0' }, ''],
    ['the query', {}, '?A2A-Version=1.0'],
    ['the method alone', {}, ''],
    ['an empty header, by the method', { 'A2A-Version': '' }, ''],
  ])('1.0 is understood from %s', async (_, headers, query) => {
    const reply = await service.post(ordering('1.0'), { ...IN_BAND, ...headers }, query)
    expect(reply.json.result.task.status.state).toBe('TASK_STATE_INPUT_REQUIRED')
  })

  it.each([
    ['the header', { 'A2A-Version': '0.3' }, ''],
    ['the header with a patch number', { 'A2A-Version': '0.3.0' }, ''],
    ['the query', {}, '?a2a-version=0.3'],
    ['the method alone', {}, ''],
  ])('0.3 is understood from %s', async (_, headers, query) => {
    const reply = await service.post(ordering('0.3'), { ...IN_BAND, ...headers }, query)
    expect(reply.json.result).toMatchObject({ kind: 'task', status: { state: 'input-required' } })
  })

  it('is all that a query may hold', async () => {
    const reply = await service.post(ordering('1.0'), IN_BAND, '?x=1')
    expectError(reply, -32602)
    const [violation] = reply.json.error.data.flatMap(({ fieldViolations: found = [] }) => found)
    expect(violation).toEqual({
      field: 'query',
      description: 'may hold the protocol version and nothing else',
    })
  })

  it.each([
    '99.0',
    '1',
    '1.1',
    '0.2',
    '2.0.0',
    CANARY,
    '1.0, 0.3',
  ])('%s is refused without being repeated or logged', async (version) => {
    expectError(await service.post(ordering('1.0'), { 'A2A-Version': version }), -32009)
  })

  it('does not let a method of the other version through', async () => {
    expectError(await service.post(ordering('0.3'), { 'A2A-Version': '1.0' }), -32601)
    expectError(await service.post(ordering('1.0'), { 'A2A-Version': '0.3' }), -32601)
  })

  it.each([
    '?value=1',
    `?${CANARY}`,
    '?A2A-Version=1.0&A2A-Version=1.0',
    '?A2A-Version=1.0&x=1',
  ])('is all that a query may hold: %s', async (query) => {
    expectError(await service.post(ordering('1.0'), {}, query), -32602)
  })
})

describe('the extension header', () => {
  it.each([
    ['1.0', 'A2A-Extensions', X402_V02],
    ['1.0', 'X-A2A-Extensions', X402_V01],
    ['0.3', 'X-A2A-Extensions', X402_V01],
    ['0.3', 'A2A-Extensions', X402_V02],
  ] as const)('is read and confirmed over %s as %s', async (version, name, uri) => {
    const reply = await service.post(ordering(version), { [name]: uri })
    expect(stateOf(taskOf(reply.json))).toBe('INPUT_REQUIRED')
    expect(reply.headers.get(name)).toBe(uri)
  })

  it('confirms exactly those that were asked for and are ours', async () => {
    const asked = `https://example.com/other, ${X402_V01}, ${X402_V02}, ${CANARY}`
    const reply = await service.post(ordering('1.0'), { 'A2A-Extensions': asked })
    expect(reply.headers.get('a2a-extensions')?.split(', ').toSorted()).toEqual(
      [X402_V01, X402_V02].toSorted(),
    )
  })

  it('is not needed by a message that names the extension itself', async () => {
    const body = ordering('1.0')
    Object.assign(body.params.message, { extensions: [X402_V02] })
    const reply = await service.post(body)
    expect(stateOf(taskOf(reply.json))).toBe('INPUT_REQUIRED')
    expect(reply.headers.get('a2a-extensions')).toBe(X402_V02)
  })

  it('is not confirmed to one who did not ask', async () => {
    const reply = await service.post(sendRequest('1.0', { parts: [{ text: 'hello' }] }))
    expect(reply.headers.get('a2a-extensions')).toBeNull()
  })
})

describe.each(VERSIONS)('the envelope over %s', (version) => {
  const body = () => ordering(version)

  it.each([
    ['a batch', () => [ordering(version)], null],
    ['an empty batch', () => [], null],
    ['a string', () => JSON.stringify(CANARY), null],
    ['a number', () => '1', null],
    ['null', () => 'null', null],
    ['another JSON-RPC version', () => ({ ...body(), jsonrpc: '1.0' }), 1],
    ['no JSON-RPC version', () => ({ ...body(), jsonrpc: undefined }), 1],
    ['no id', () => ({ ...body(), id: undefined }), null],
    ['a structured id', () => ({ ...body(), id: { bad: CANARY } }), null],
    ['a fractional id', () => ({ ...body(), id: 1.5 }), null],
    ['a boolean id', () => ({ ...body(), id: true }), null],
    ['an id too large to be exact', () => ({ ...body(), id: 2 ** 60 }), null],
    ['an id of 129 characters', () => ({ ...body(), id: 'x'.repeat(129) }), null],
    ['an id that is an object', () => ({ ...body(), id: { toString: 1 } }), null],
    ['no method', () => ({ ...body(), method: undefined }), 1],
    ['a method that is no string', () => ({ ...body(), method: { [CANARY]: 1 } }), 1],
  ])('refuses %s with -32600, where the SDK says -32602', async (_, make, id) => {
    expectError(await service.post(make()), -32600, id)
  })

  it('judges method, then parameters, then the missing id', async () => {
    const without = { ...body(), id: undefined }
    expectError(await service.post({ ...without, method: 'nope' }), -32601, null)
    expectError(await service.post({ ...without, params: {} }), -32602, null)
    expectError(await service.post(without), -32600, null)
  })

  it('refuses an id nested 15,000 deep, and one in the text of a part, as the protocol does', async () => {
    const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    const text = JSON.stringify({ ...body(), id: 'ID' }).replace('"ID"', deep(7_500))
    expectError(await service.post(text), -32600, null)
    const inText = sendRequest(version, { parts: [{ text: `{"a":${deep(7_500)}}` }] })
    const reply = await service.post(inText)
    expect(messageOf(reply.json)).toBeDefined()
  })

  it('refuses ids over 128 characters, and ids of messages over 256, unread, and repeats none', async () => {
    const long = CANARY.padEnd(129, 'x')
    const parts = [{ text: `${CANARY.padEnd(129, 'x')} pesel` }]
    expectError(await service.post(sendRequest(version, { parts, id: long })), -32600, null)
    const tooLong = await service.post(sendRequest(version, { parts, messageId: CANARY.padEnd(257, 'x') }))
    expectError(tooLong, -32602)
    expect(JSON.stringify(tooLong.json)).toContain('messageId')
    expectError(await service.post(sendRequest(version, { parts, contextId: long })), -32602)
    expectError(await service.post(sendRequest(version, { parts, taskId: long })), -32001)
  })

  it('refuses nesting that could exhaust the stack', async () => {
    const nested = `${'['.repeat(5000)}${']'.repeat(5000)}`
    const text = JSON.stringify(body()).replace(`"${VALUE}"`, nested)
    expectError(await service.post(text), -32600, null)
  })

  it.each([
    ['null', null],
    ['a negative integer', -7],
    ['128 characters', 'i'.repeat(128)],
  ])('takes %s as an id', async (_, id) => {
    const reply = await service.post(sendRequest(version, { parts: [{ text: 'hi' }], id }))
    expect(reply.json.id).toBe(id)
    expect(messageOf(reply.json)).toBeDefined()
  })

  it.each([
    '',
    '{',
    '{"jsonrpc": "2.0", "method": "SendMessage"',
    `{"${CANARY}`,
    'value=1',
  ])('answers %j with -32700', async (text) => {
    // With a payment header an empty body is no probe but a broken request.
    const headers = text === '' ? { 'PAYMENT-SIGNATURE': 'e30=' } : {}
    expectError(await service.post(text, headers), -32700, null)
  })

  it('answers bytes that are not UTF-8 with -32700', async () => {
    const response = await fetch(`${service.url}/a2a`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.concat([
        Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('"}'),
      ]),
    })
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32700 } })
  })

  it.each([
    'NoSuchMethod',
    'message/Send',
    CANARY,
    '',
    'toString',
    '__proto__',
  ])('refuses the method %j with a fixed text', async (method) => {
    expectError(await service.post({ ...body(), method }), -32601)
  })

  it.each([
    ['array', []],
    ['string', CANARY],
    ['null', null],
    ['missing', undefined],
    ['without a message', { '': CANARY }],
  ])('refuses params that are %s', async (_, params) => {
    expectError(await service.post({ ...body(), params }), -32602)
  })
})

describe('operations this agent does not have', () => {
  it.each([
    ['SendStreamingMessage', -32004],
    ['SubscribeToTask', -32004],
    ['GetExtendedAgentCard', -32004],
    ['CreateTaskPushNotificationConfig', -32003],
    ['GetTaskPushNotificationConfig', -32003],
    ['ListTaskPushNotificationConfigs', -32003],
    ['DeleteTaskPushNotificationConfig', -32003],
    ['message/stream', -32004],
    ['tasks/resubscribe', -32004],
    ['agent/getAuthenticatedExtendedCard', -32004],
    ['tasks/pushNotificationConfig/set', -32003],
    ['tasks/pushNotificationConfig/get', -32003],
    ['tasks/pushNotificationConfig/list', -32003],
    ['tasks/pushNotificationConfig/delete', -32003],
  ])('%s is refused with %i, and its id reaches no console', async (method, code) => {
    expectError(
      await service.post({ jsonrpc: '2.0', id: 'stream-1', method, params: { id: CANARY } }),
      code,
      'stream-1',
    )
  })
})

describe('the message', () => {
  const legacy = (change: object) => {
    const body = ordering('0.3')
    Object.assign(body.params.message, change)
    return body
  }
  const current = (change: object) => {
    const body = ordering('1.0')
    Object.assign(body.params.message, change)
    return body
  }

  it.each([
    ['no message id', { messageId: undefined }],
    ['an empty message id', { messageId: '' }],
    ['a message id that is no string', { messageId: 7 }],
    ['no role', { role: undefined }],
    ['a role of neither version', { role: CANARY }],
    ['no parts', { parts: undefined }],
    ['parts that are no array', { parts: CANARY }],
    ['an empty list of parts', { parts: [] }],
    ['a part that is no object', { parts: [CANARY] }],
    ['a task id that is no string', { taskId: [CANARY] }],
    ['a context id that is no string', { contextId: 9 }],
    ['a context id with a direction mark', { contextId: `c\u202e${CANARY}` }],
    ['a context id of 257 characters', { contextId: 'c'.repeat(257) }],
    ['metadata that is no object', { metadata: CANARY }],
  ])('is refused for %s', async (_, change) => {
    expectError(await service.post(legacy(change), IN_BAND), -32602)
    expectError(await service.post(current(change), IN_BAND), -32602)
  })

  it('of 0.3 is refused for an unknown part kind, which the SDK would repeat', async () => {
    expectError(await service.post(legacy({ parts: [{ kind: CANARY, text: 'x' }] })), -32602)
    expectError(await service.post(legacy({ parts: [{ text: 'x' }] })), -32602)
  })

  it('of 0.3 is refused for a text that is no string, which the SDK lets pass', async () => {
    expectError(await service.post(legacy({ parts: [{ kind: 'text', text: 7 }] })), -32602)
  })

  it('of 0.3 with a file is refused, also with one that makes the SDK throw', async () => {
    for (const file of [{ uri: `https://example.com/${CANARY}` }, { bytes: 'dGNr' }, undefined]) {
      expectError(await service.post(legacy({ parts: [{ kind: 'file', file }] })), -32005)
    }
  })

  it('of 1.0 with a file, a URL or a foreign media type is refused without a word of it', async () => {
    expectError(await service.post(current({ parts: [{ raw: 'dGNr', mediaType: CANARY }] })), -32005)
    expectError(await service.post(current({ parts: [{ url: `https://example.com/${CANARY}` }] })), -32005)
    expectError(
      await service.post(current({ parts: [{ text: 'hello', mediaType: `image/${CANARY}` }] })),
      -32005,
    )
    expectError(await service.post(current({ parts: [{ data: {}, media_type: 'image/png' }] })), -32005)
  })

  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/ld+json ; version=1',
  ])('of 1.0 may have data of the media type %s', async (mediaType) => {
    const { json } = await service.post(current({ parts: [{ ...order('iban', VALUE), mediaType }] }), IN_BAND)
    expect(json.error).toBeUndefined()
  })

  it.each([
    ['an empty list of parts', { parts: [] }, 'message.parts'],
    ['a role of neither version', { role: CANARY }, 'message.role'],
  ])('with %s is refused by the name of the member', async (_what, member, field) => {
    const { json } = await service.post(current(member))
    expect(JSON.stringify(json)).toContain(`"field":"${field}"`)
  })

  it('of 1.0 is refused for a part with no content, two contents or data that is no object', async () => {
    expectError(await service.post(current({ parts: [{}] })), -32602)
    expectError(await service.post(current({ parts: [{ text: 'a', data: {} }] })), -32602)
    expectError(await service.post(current({ parts: [{ data: [CANARY] }] })), -32602)
    expectError(await service.post(current({ parts: [{ file: { uri: CANARY } }] })), -32602)
  })

  it.each([
    'ROLE_USER',
    'ROLE_AGENT',
    1,
    2,
  ])('of 1.0 may use the names and numbers of the protobuf definition: role %j', async (role) => {
    const message = {
      message_id: 'm-1',
      context_id: 'ctx-1',
      role,
      parts: [order('iban', VALUE)],
    }
    const reply = await service.post(
      { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } },
      IN_BAND,
    )
    expect(taskOf(reply.json).contextId).toBe('ctx-1')
  })

  it.each([
    [-1, -32602],
    [1.5, -32602],
    ['x', -32602],
    ['1', -32001],
    [2 ** 31, -32602],
    [2 ** 31 - 1, -32001],
    // No limit.
    [null, -32001],
  ])('takes a history length that is an int32 and not negative, or null: %j', async (historyLength, code) => {
    const reply = await service.post({
      jsonrpc: '2.0',
      id: 1,
      method: 'GetTask',
      params: { id: 'no-such-task', historyLength },
    })
    expectError(reply, code)
  })
})

describe('the connection', () => {
  it.each([
    'text/plain',
    'application/xml',
    'application/json; charset=latin1',
    CANARY,
    '',
  ])('reads a JSON object under the content type %j, and refuses anything else with 415 and JSON', async (type) => {
    const post = (body: unknown) =>
      fetch(`${service.url}/a2a`, {
        method: 'POST',
        headers: type === '' ? {} : { 'Content-Type': type },
        body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      })
    expect((await post(ordering('1.0'))).status).toBe(402)
    for (const body of [[ordering('1.0')], 'skill=iban', 7])
      expect((await post(body)).status, String(body)).toBe(415)
    const response = await post(`value=${CANARY}`)
    const text = await response.text()
    expect(response.status).toBe(415)
    expect(response.headers.get('accept')).toBe('application/json')
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32005 } })
    expect(text).not.toContain(CANARY)
  })

  it('refuses a compressed body with 415 and JSON', async () => {
    const response = await service.post(ordering('1.0'), { 'Content-Encoding': 'gzip' })
    expectError(response, -32005, null, 415)
    expect(response.headers.get('accept-encoding')).toBe('identity')
  })

  it.each(['identity', 'Identity', ' identity '])('reads a body of encoding %j', async (encoding) => {
    expect((await service.post(ordering('1.0'), { 'Content-Encoding': encoding })).status).toBe(402)
  })

  it.each([
    17 * 1024,
    200 * 1024,
  ])('answers a body of %i bytes with 413 and JSON, not with a page of HTML', async (size) => {
    expectError(
      await service.post(sendRequest('1.0', { parts: [{ text: 'x'.repeat(size) }] })),
      -32600,
      null,
      413,
    )
  })

  it('reads a body of 16 kB', async () => {
    const body = sendRequest('1.0', { parts: [{ text: '' }] })
    const room = 16_384 - JSON.stringify(body).length
    const reply = await service.post(
      sendRequest('1.0', { parts: [{ text: ' '.repeat(room) }], messageId: body.params.message.messageId }),
    )
    expect(messageOf(reply.json)).toBeDefined()
  })

  it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('answers %s with 405, Allow and JSON', async (method) => {
    const response = await fetch(`${service.url}/a2a`, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST, OPTIONS')
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } })
  })

  it.each(['/a2a//', '/A2A', '//a2a', '/a2a/x', '/a2%61'])('finds nothing at %s', async (path) => {
    const status = await new Promise((resolve, reject) => {
      const req = request(
        { port: service.port, path, method: 'POST', headers: { 'Content-Type': 'application/json' } },
        (res) => {
          res.resume()
          resolve(res.statusCode)
        },
      )
      req.on('error', reject)
      req.end(JSON.stringify(ordering('1.0')))
    })
    expect(status).toBe(404)
  })

  it('quotes the price to one who sends nothing at all', async () => {
    const response = await fetch(`${service.url}/a2a`, { method: 'POST' })
    expect(response.status).toBe(402)
    expect(response.headers.get('payment-required')).not.toBeNull()
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: 402 } })
  })

  it('never lets an answer be cached', async () => {
    const reply = await service.post(taskRequest('1.0', 'get', 'no-such-task-anywhere'))
    expect(reply.headers.get('cache-control')).toBe('no-store')
  })
})
