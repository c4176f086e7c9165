/**
 * The requirements of the public conformance kit (a2aproject/a2a-tck, branch 1.0-dev, and the mandatory set of
 * its 0.3 branch) that apply to an agent with JSON-RPC, without streaming and push, each under its own id.
 *
 * The kit drives agents by the wording of a message id; this agent sells checks, so its states are reached as a buyer
 * reaches them, with real orders. The exceptions:
 *
 * - CORE-HIST-005 and CORE-HIST-006 ask for the client's own words in the history, which are never kept.
 * - CORE-SEND-003: the kit counts the specified error for an unsupported media type as a failure.
 * - CARD-STRUCT-001 forbids further members; the card also has the top-level members that 0.3 clients need.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { IN_BAND, type Json, order, paying, sendRequest, taskRequest } from './a2a-client.ts'
import { startA2aService } from './a2a-service.ts'

const V1 = { 'A2A-Version': '1.0', 'A2A-Extensions': IN_BAND['X-A2A-Extensions'] }
const VALUE = 'DE89370400440532013000'

const service = await startA2aService()
afterAll(() => service.close())

const required = () =>
  service.double.quote.single(service.registry.all[0]!, 'a2a').required('payment_required')
const call = async (method: string, params?: unknown, headers: object = V1): Promise<Json> =>
  (await service.post({ jsonrpc: '2.0', id: 'tck-1', method, params }, { ...headers })).json
const send = (message: object, headers: object = V1) =>
  call(
    'SendMessage',
    { message: { role: 'ROLE_USER', messageId: 'tck-message', parts: [{ text: 'x' }], ...message } },
    headers,
  )
const working = async (): Promise<Json> => (await send({ parts: [order('iban', VALUE)] })).result.task
const completed = async (): Promise<Json> =>
  (await send({ parts: [order('iban', VALUE)], metadata: paying(required()) })).result.task

function expectA2aError(json: Json, code: number, reason: string): void {
  expect(json).toMatchObject({ jsonrpc: '2.0', id: 'tck-1', error: { code } })
  expect(Object.keys(json.error).toSorted()).toEqual(['code', 'data', 'message'])
  expect(json.error.data[0]).toMatchObject({
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'a2a-protocol.org',
  })
}

describe('the exceptions', () => {
  it('CORE-HIST-005, CORE-HIST-006: the history holds no word of the client', async () => {
    const { history } = await working()
    expect(JSON.stringify(history)).not.toContain(VALUE)
  })
})

describe('1.0', () => {
  it('CORE-SEND-001: SendMessage returns a task or a message', async () => {
    expect(Object.keys((await send({})).result)).toEqual(['message'])
    expect(Object.keys((await send({ parts: [order('iban', VALUE)] })).result)).toEqual(['task'])
  })

  it('CORE-SEND-002: a message to a terminal task is an unsupported operation', async () => {
    const { id } = await completed()
    expectA2aError(await send({ taskId: id }), -32004, 'UNSUPPORTED_OPERATION')
    const canceled = await working()
    await call('CancelTask', { id: canceled.id })
    expectA2aError(await send({ taskId: canceled.id }), -32004, 'UNSUPPORTED_OPERATION')
  })

  it('CORE-SEND-003: an unsupported media type is a content type error', async () => {
    const parts = [{ raw: 'dGNr', mediaType: 'application/x-unsupported-tck-type' }]
    expectA2aError(await send({ parts }), -32005, 'CONTENT_TYPE_NOT_SUPPORTED')
  })

  it('CORE-GET-001, CORE-GET-002: GetTask shows a task, or says that there is none', async () => {
    const task = await completed()
    expect((await call('GetTask', { id: task.id })).result).toEqual(task)
    expectA2aError(await call('GetTask', { id: 'tck-nonexistent-get-002' }), -32001, 'TASK_NOT_FOUND')
  })

  it("CORE-LIST-001 to CORE-LIST-005: ListTasks is a page of the client's own tasks, of which it has none", async () => {
    await completed()
    for (const params of [
      { context_id: 'tck' },
      { context_id: 'tck', page_size: 2 },
      { page_size: 100 },
      { include_artifacts: false },
    ]) {
      const { result } = await call('ListTasks', params)
      expect(result).toMatchObject({ tasks: [], nextPageToken: '', totalSize: 0 })
    }
  })

  it('CORE-CANCEL-001: CancelTask returns the canceled task', async () => {
    const task = await working()
    const { result } = await call('CancelTask', { id: task.id })
    expect(result).toMatchObject({ id: task.id, status: { state: 'TASK_STATE_CANCELED' } })
  })

  it('CORE-CANCEL-002, CORE-CANCEL-003: a terminal task is not cancelable, an unknown one not found', async () => {
    const [done, canceled] = [await completed(), await working()]
    await call('CancelTask', { id: canceled.id })
    for (const { id } of [done, canceled])
      expectA2aError(await call('CancelTask', { id }), -32002, 'TASK_NOT_CANCELABLE')
    expectA2aError(await call('CancelTask', { id: 'tck-nonexistent-cancel-003' }), -32001, 'TASK_NOT_FOUND')
  })

  it('CORE-EXECUTION-MODE-001, CORE-EXECUTION-MODE-002: the state is terminal or interrupted in either mode', async () => {
    for (const returnImmediately of [true, false]) {
      const message = { role: 'ROLE_USER', messageId: 'm', parts: [order('iban', VALUE)] }
      const { result } = await call('SendMessage', { message, configuration: { returnImmediately } })
      expect(result.task.status.state).toBe('TASK_STATE_INPUT_REQUIRED')
    }
  })

  it('CORE-ERR-001, CORE-ERR-002: errors have a code and a message, and bad parameters are one', async () => {
    for (const [method, params] of [
      ['NonExistentMethod', {}],
      ['SendMessage', {}],
      ['GetTask', {}],
    ] as const) {
      const { error } = await call(method, params)
      expect(error).toMatchObject({ code: expect.any(Number), message: expect.stringMatching(/.+/) })
    }
  })

  it('CORE-CAP-001, CORE-CAP-002, CORE-CAP-003: operations that the card denies are refused', async () => {
    const push = await call('CreateTaskPushNotificationConfig', { taskId: 't', url: 'https://example.com' })
    expectA2aError(push, -32003, 'PUSH_NOTIFICATION_NOT_SUPPORTED')
    for (const method of ['SendStreamingMessage', 'SubscribeToTask', 'GetExtendedAgentCard']) {
      expectA2aError(await call(method, {}), -32004, 'UNSUPPORTED_OPERATION')
    }
  })

  it('CORE-CAP-004: no extension is required, so none can be missing', async () => {
    expect((await send({}, { 'A2A-Version': '1.0' })).result.message).toBeDefined()
  })

  it('CORE-MULTI-001, CORE-MULTI-001a: a context id that was made is in the answer', async () => {
    expect((await send({})).result.message.contextId).toMatch(/.+/)
    expect((await working()).contextId).toMatch(/.+/)
  })

  it('CORE-MULTI-002, CORE-MULTI-002a: a context id is kept, or the request refused, never replaced', async () => {
    expect((await send({ contextId: 'tck-client-context-001' })).result.message.contextId).toBe(
      'tck-client-context-001',
    )
    expect((await send({ contextId: 'no\u0007bells' })).error.code).toBe(-32602)
  })

  it('CORE-MULTI-003: every task has its own id', async () => {
    const ids = await Promise.all([working(), working(), working()])
    expect(new Set(ids.map(({ id }) => id)).size).toBe(3)
  })

  it('CORE-MULTI-004: a message to an unknown task finds none', async () => {
    expectA2aError(await send({ taskId: 'tck-nonexistent-multi-004' }), -32001, 'TASK_NOT_FOUND')
  })

  it('CORE-MULTI-005, CORE-MULTI-006: the context follows from the task, and another one is refused', async () => {
    const task = await working()
    expect((await send({ taskId: task.id })).result.task.contextId).toBe(task.contextId)
    expect((await send({ taskId: task.id, contextId: 'tck-wrong-context' })).error).toBeDefined()
  })

  it('CORE-HIST-001 to CORE-HIST-004: history is kept, trimmed, and left out at 0, wherever a task is shown', async () => {
    const task = await working()
    expect(task.history).toHaveLength(1)
    expect((await call('GetTask', { id: task.id, historyLength: 0 })).result).not.toHaveProperty('history')
    expect((await call('GetTask', { id: task.id, historyLength: 1 })).result.history).toHaveLength(1)
    const message = { role: 'ROLE_USER', messageId: 'm', parts: [order('iban', VALUE)] }
    const { result } = await call('SendMessage', { message, configuration: { historyLength: 0 } })
    expect(result.task).not.toHaveProperty('history')
  })

  it('DM-TASK, DM-MSG, DM-PART, DM-ART, DM-STATUS: every object has its required members and one content per part', async () => {
    for (const task of [await working(), await completed()]) {
      expect(task).toMatchObject({
        id: expect.any(String),
        status: { state: expect.stringMatching(/^TASK_STATE_[A-Z_]+$/) },
      })
      const messages = [task.status.message, ...task.history]
      const artifacts = task.artifacts ?? []
      for (const { messageId, role, parts } of messages) {
        expect(messageId).toMatch(/.+/)
        expect(role).toMatch(/^ROLE_(AGENT|USER)$/)
        expect(parts.length).toBeGreaterThan(0)
      }
      for (const { artifactId, parts } of artifacts)
        expect([typeof artifactId, parts.length > 0]).toEqual(['string', true])
      for (const part of [...messages, ...artifacts].flatMap(({ parts }) => parts)) {
        expect(['text', 'raw', 'url', 'data'].filter((name) => part[name] !== undefined)).toHaveLength(1)
      }
    }
  })

  it('DM-SERIAL-001 to DM-SERIAL-004: names are in camel case, enumerations are words', async () => {
    const text = JSON.stringify([await working(), await completed(), (await send({})).result])
    const names = [...text.matchAll(/"([^"]+)":/g)].map(([, name]) => name)
    expect(names.filter((name) => /^[a-z]+(_[a-z]+)+$/.test(name ?? ''))).toEqual([])
    expect(text).not.toMatch(/"(state|role)":\d/)
  })

  it('DM-SERIAL-005: unknown members are passed over', async () => {
    const json = await call('SendMessage', {
      message: { role: 'ROLE_USER', messageId: 'm', parts: [{ text: 'x', other: 1 }], tckUnknownField: 'x' },
      tckExtraParam: 42,
    })
    expect(json.error).toBeUndefined()
  })

  it('VER-SERVER-001 to VER-SERVER-003, VER-CLIENT-002: versions count by major and minor, an empty one counts as absent', async () => {
    expect((await send({}, { 'A2A-Version': '1.0.7' })).result).toBeDefined()
    expectA2aError(await send({}, { 'A2A-Version': '99.0' }), -32009, 'VERSION_NOT_SUPPORTED')
    const legacy = await service.post(sendRequest('0.3', { parts: [{ text: 'x' }] }), { 'A2A-Version': '' })
    expect(legacy.json.result.kind).toBe('message')
  })

  it('JSONRPC-ERR-001 to JSONRPC-ERR-003: errors have code, message and details with types', async () => {
    const { error } = await call('GetTask', { id: 'tck-nonexistent' })
    expect(error.code).toBeLessThanOrEqual(-32001)
    expect(error.code).toBeGreaterThanOrEqual(-32099)
    for (const detail of error.data) expect(detail['@type']).toMatch(/^type\.googleapis\.com\//)
  })

  // Narrower than the kit asks: a JSON object is read under any type, since many programs send it under none.
  it('JSONRPC-SSE-002: a wrong content type is a content type error, unless the body is a JSON object', async () => {
    const headers = { 'Content-Type': 'text/plain' }
    const read = await service.post(sendRequest('1.0', { parts: [{ text: 'x' }] }), headers)
    expect(read.json.error).toBeUndefined()
    const reply = await service.post('x', headers)
    expect(reply.json.error).toMatchObject({
      code: -32005,
      data: [{ reason: 'CONTENT_TYPE_NOT_SUPPORTED' }, {}],
    })
  })
})

describe('0.3, mandatory', () => {
  const raw = async (body: unknown): Promise<Json> => {
    const reply = await service.post(body)
    expect(reply.status).toBe(200)
    return reply.json
  }
  const legacy = (message: object, headers: Record<string, string> = IN_BAND) =>
    service.post(sendRequest('0.3', message), headers).then(({ json }) => json)

  it('rejects malformed JSON with -32700', async () => {
    expect(
      (await raw('{"jsonrpc": "2.0", "method": "message/send", "params": {"foo": "bar"}')).error.code,
    ).toBe(-32700)
  })

  it.each([
    [{ jsonrpc: 'aaa', method: 'message/send', params: {} }, -32600],
    [{ jsonrpc: '2.0', params: {} }, -32600],
    [{ jsonrpc: '2.0', method: 'message/sendXXX', id: '3', params: {} }, -32601],
    [{ jsonrpc: '2.0', method: 'message/sendXXX', params: {} }, -32601],
    [{ jsonrpc: '2.0', method: 'message/send', params: {} }, -32602],
    [{ jsonrpc: '2.0', method: 'tasks/get', params: { id: 'nonexistent-task-id' } }, -32600],
    [{ jsonrpc: '2.0', method: 'message/send', params: {}, id: { bad: 'type' } }, -32600],
    [{ jsonrpc: '2.0', method: 'message/send', id: '4', params: 'not_a_dict' }, -32602],
    [{ jsonrpc: '2.0', method: 'message/send', id: '4', params: { '': 'not_a_dict' } }, -32602],
    [{ jsonrpc: '2.0', method: 'message/send', id: '4', params: { message: { parts: 'invalid' } } }, -32602],
    [{ jsonrpc: '2.0', method: 'message/send', id: '4', params: { message: { kind: 'message' } } }, -32602],
  ])('rejects %j with %i, over HTTP 200', async (body, code) => {
    expect((await raw(body)).error.code).toBe(code)
  })

  it('answers at the path with a trailing slash, where the kit posts', async () => {
    const response = await fetch(`${service.url}/a2a/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...IN_BAND },
      body: JSON.stringify(sendRequest('0.3', { parts: [order('iban', VALUE)] })),
      redirect: 'error',
    })
    expect((await response.json()) as Json).toMatchObject({ result: { kind: 'task' } })
  })

  it('repeats the id of a request that is invalid for another reason', async () => {
    const request = sendRequest('0.3', { parts: [{ text: 'x' }], id: 'tck-7' })
    expect(await raw({ ...request, jsonrpc: '1.0' })).toMatchObject({ id: 'tck-7', error: { code: -32600 } })
    expect(await raw({ ...request, method: undefined })).toMatchObject({
      id: 'tck-7',
      error: { code: -32600 },
    })
  })

  it('answers two requests of one id', async () => {
    for (const text of ['one', 'another']) {
      expect(await raw(sendRequest('0.3', { parts: [{ text }], id: 'duplicate' }))).toMatchObject({
        id: 'duplicate',
        result: {},
      })
    }
  })

  it('takes a text message and answers with a task or a message', async () => {
    expect((await legacy({ parts: [{ text: 'Hello from TCK!' }] })).result).toMatchObject({
      kind: 'message',
      role: 'agent',
    })
    expect((await legacy({ parts: [order('iban', VALUE)] })).result).toMatchObject({
      kind: 'task',
      status: { state: 'input-required' },
    })
  })

  it('takes a data part it does not know and a file part without breaking', async () => {
    expect(
      (await legacy({ parts: [{ data: { key: 'value', number: 123, nested: { array: [1, 2, 3] } } }] })).error
        .code,
    ).toBe(-32602)
    const body = sendRequest('0.3', { parts: [] })
    Object.assign(body.params.message, {
      parts: [{ kind: 'file', file: { name: 'test.txt', uri: 'https://example.com/test.txt' } }],
    })
    expect((await raw(body)).error.code).toBe(-32005)
  })

  it('continues a task, shows it with its history and cancels it', async () => {
    const { result: task } = await legacy({ parts: [order('iban', VALUE)] })
    expect((await legacy({ taskId: task.id, parts: [{ text: 'Follow-up message' }] })).result.id).toBe(
      task.id,
    )
    const shown = (await raw(taskRequest('0.3', 'get', task.id, 1))).result
    expect(shown).toMatchObject({ id: task.id, status: {}, history: [{ kind: 'message', role: 'user' }] })
    const canceled = (await raw(taskRequest('0.3', 'cancel', task.id))).result
    expect(canceled).toMatchObject({ id: task.id, status: { state: 'canceled' } })
  })

  it('knows no task that was never made', async () => {
    for (const operation of ['get', 'cancel'] as const) {
      expect((await raw(taskRequest('0.3', operation, 'nonexistent-task-id'))).error.code).toBe(-32001)
    }
  })

  it.each([
    ['tasks/pushNotificationConfig/set', -32003, ['push', 'notification', 'not', 'supported']],
    ['message/stream', -32004, ['operation', 'not', 'supported']],
  ])('refuses %s with %i and words that say so', async (method, code, words) => {
    const { error } = await raw({ jsonrpc: '2.0', id: 1, method, params: {} })
    expect(error.code).toBe(code)
    for (const word of words) expect(error.message.toLowerCase()).toContain(word)
  })

  it('has a card with every mandatory member', async () => {
    const card = (await (await fetch(`${service.url}/.well-known/agent-card.json`)).json()) as Json
    for (const name of [
      'capabilities',
      'defaultInputModes',
      'defaultOutputModes',
      'description',
      'name',
      'skills',
      'url',
      'version',
      'protocolVersion',
    ]) {
      expect(card[name] ?? null).not.toBeNull()
    }
    for (const skill of card.skills) {
      for (const name of ['id', 'name', 'description', 'tags']) expect(skill[name] ?? null).not.toBeNull()
    }
  })
})
