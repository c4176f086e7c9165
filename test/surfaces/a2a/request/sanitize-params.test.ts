/** What is copied of each operation's parameters, and by which member a request is refused. */
import { describe, expect, it } from 'vitest'
import type { Operation } from '../../../../src/surfaces/a2a/request/methods.ts'
import type { Reading } from '../../../../src/surfaces/a2a/request/read-envelope.ts'
import { sanitizeParams } from '../../../../src/surfaces/a2a/request/sanitize-params.ts'
import { X402_V01, X402_V02 } from '../a2a-client.ts'

/** The value, else the member that is refused and why, else the code of the protocol. */
function outcomeOf(reading: Reading<unknown>): unknown {
  if (reading.kind === 'read') return reading.value
  const { code, data } = reading.error
  const violations = data.flatMap(({ fieldViolations: found }) => (Array.isArray(found) ? found : []))
  return violations.length === 0 ? code : `${violations[0].field} ${violations[0].description}`
}
const read = (operation: Operation, params: unknown, version: '1.0' | '0.3' = '1.0') =>
  outcomeOf(sanitizeParams(operation, params, version))

const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER', parts: [] }
const LEGACY = { ...MESSAGE, role: 'user' }
const sent = (change: object, version: '1.0' | '0.3' = '1.0') =>
  read('send', { message: { ...(version === '1.0' ? MESSAGE : LEGACY), ...change } }, version)
const partOf = (part: unknown, version: '1.0' | '0.3' = '1.0') => sent({ parts: [part] }, version)
const withParts = (parts: unknown) => ({ message: expect.objectContaining({ parts }) })

describe('the parameters', () => {
  it.each(['send', 'get', 'cancel', 'list'] as const)('of %s must be an object', (operation) => {
    for (const params of [null, 'x', []]) expect(read(operation, params)).toBe('params must be an object')
    expect(read(operation, undefined)).toEqual(operation === 'list' ? {} : 'params must be an object')
  })

  it.each([
    'get',
    'cancel',
  ] as const)('of %s are the id of a task, and a history length to get it', (operation) => {
    const history = (historyLength: number) => (operation === 'get' ? { historyLength } : {})
    expect(read(operation, { id: 't', tenant: 'x' })).toEqual({ id: 't' })
    expect(read(operation, { id: 't', historyLength: 0 })).toEqual({ id: 't', ...history(0) })
    expect(read(operation, { id: 't', history_length: 7 })).toEqual({ id: 't', ...history(7) })
    expect(read(operation, { id: 't', history_length: 7 }, '0.3')).toEqual({ id: 't' })
    for (const id of ['', null, undefined])
      expect(read(operation, { id })).toBe('id must be a non-empty string')
    expect(read(operation, { id: 7 })).toBe('id must be a string')
  })

  it('may have a history length from 0 to the largest int32', () => {
    const most = 2 ** 31 - 1
    expect(read('get', { id: 't', historyLength: most })).toEqual({ id: 't', historyLength: most })
    for (const historyLength of ['0', '0.0', '0e5'])
      expect(read('get', { id: 't', historyLength })).toEqual({ id: 't', historyLength: 0 })
    const integer = 'historyLength must be an integer of 32 bits'
    const cases = [0.5, '', ' 0', '0x1', '1,0', most + 1, true, []].map((given) => [given, integer])
    for (const [historyLength, refused] of [
      ...cases,
      [-1, 'historyLength must be an integer of 0 or more'],
    ]) {
      expect(read('get', { id: 't', historyLength })).toBe(refused)
      expect(read('list', { historyLength })).toBe(refused)
      expect(read('send', { configuration: { historyLength }, message: MESSAGE })).toBe(
        refused === integer ? `configuration.${refused}` : refused,
      )
    }
  })

  it('of a list are pages of 1 to 100 tasks, and no token, since none is given out', () => {
    expect(read('list', {})).toEqual({ pageSize: undefined })
    for (const pageSize of [1, 2, 99, 100]) {
      expect(read('list', { pageSize, pageToken: '', tenant: 'x' })).toEqual({ pageSize })
      expect(read('list', { page_size: pageSize })).toEqual({ pageSize })
    }
    expect(read('list', { pageSize: '7' })).toEqual({ pageSize: 7 })
    expect(read('list', { pageSize: 1.5 })).toBe('pageSize must be an integer of 32 bits')
    for (const pageSize of [0, 101, '101'])
      expect(read('list', { pageSize })).toBe('pageSize must be an integer from 1 to 100')
    expect(read('list', { pageToken: 'x' })).toBe('pageToken is not one of this agent')
    expect(read('list', { pageToken: 7 })).toBe('pageToken must be a string')
    expect(read('list', { page_token: 'x' })).toBe('pageToken is not one of this agent')
  })

  it('of a message are its configuration and the message', () => {
    const configured = (configuration: unknown) => read('send', { configuration, message: MESSAGE })
    expect(configured({ historyLength: 3, blocking: true })).toMatchObject({
      configuration: { historyLength: 3 },
    })
    for (const none of [undefined, null, {}]) expect(configured(none)).toMatchObject({ configuration: {} })
    for (const other of ['x', [], 7]) expect(configured(other)).toBe('configuration must be an object')
    for (const message of [undefined, null, 'x', [], 7])
      expect(read('send', { message })).toBe('message must be an object')
  })
})

describe('a message', () => {
  it('has an id and a role, which are replaced', () => {
    const neutral = { messageId: 'request', parts: [], metadata: {}, extensions: [] }
    for (const role of ['ROLE_USER', 'ROLE_AGENT', 1, 2])
      expect(sent({ role })).toEqual({ message: { ...neutral, role: 'ROLE_USER' }, configuration: {} })
    for (const role of ['user', 'agent'])
      expect(sent({ role }, '0.3')).toEqual({ message: { ...neutral, role: 'user' }, configuration: {} })
    for (const role of ['ROLE_UNSPECIFIED', 0, undefined])
      expect(sent({ role })).toBe('message.role must be "ROLE_USER"')
    for (const role of ['user', '1', 3, -1, ['ROLE_USER'], true])
      expect(sent({ role })).toBe('message.role must be one of ROLE_USER, ROLE_AGENT')
    expect(sent({ role: undefined }, '0.3')).toBe('message.role must be "user"')
    for (const role of ['ROLE_USER', 1])
      expect(sent({ role }, '0.3')).toBe('message.role must be one of user, agent')
  })

  it('is refused for ids of another kind or length', () => {
    for (const messageId of ['', null, undefined])
      expect(sent({ messageId })).toBe('message.messageId must be a non-empty string')
    expect(sent({ messageId: 7 })).toBe('message.messageId must be a string')
    for (const letter of ['m', '\u{1f4a1}']) {
      expect(sent({ messageId: letter.repeat(256) })).toMatchObject({ message: { messageId: 'request' } })
      expect(sent({ messageId: letter.repeat(257) })).toBe(
        'message.messageId may have at most 256 characters',
      )
    }
    expect(sent({ taskId: 7 })).toBe('message.taskId must be a string')
    expect(sent({ contextId: 7 })).toBe('message.contextId must be a string')
    expect(sent({ taskId: 't'.repeat(128) })).toMatchObject({ message: { taskId: 't'.repeat(128) } })
    expect(sent({ taskId: 't'.repeat(129) })).toBe(-32001)
    const contexts = [
      'c'.repeat(256),
      '\u{1f4a1}'.repeat(256),
      'a',
      'aZ09._:-',
      'ADK/app/jan+1@x.example/s 1',
      'zażółć',
      '„q"',
    ]
    for (const contextId of contexts) expect(sent({ contextId })).toMatchObject({ message: { contextId } })
    const out = [
      'c'.repeat(257),
      'a\n',
      '\u0000',
      'a\u202eb',
      'a\u2066b',
      'a\u200bb',
      'a\u2028',
      '\ud800',
      '\u0085',
    ]
    for (const contextId of out)
      expect(sent({ contextId })).toBe('message.contextId may have 1 to 256 printable characters')
  })

  it('without a task or a context has no member for it', () => {
    const empty = sent({ taskId: '', contextId: null })
    expect(empty).toEqual({
      message: { messageId: 'request', role: 'ROLE_USER', parts: [], metadata: {}, extensions: [] },
      configuration: {},
    })
  })

  it('may have names of protobuf in 1.0, unless it has the JSON name, and never in 0.3', () => {
    expect(sent({ task_id: 'a', context_id: 'b' })).toMatchObject({
      message: { taskId: 'a', contextId: 'b' },
    })
    expect(sent({ taskId: 'c', task_id: 'a' })).toMatchObject({ message: { taskId: 'c' } })
    expect(sent({ task_id: 'a' }, '0.3')).not.toHaveProperty('message.taskId')
    const { messageId: _, ...unnamed } = MESSAGE
    expect(read('send', { message: { ...unnamed, message_id: 'm' } })).toMatchObject({
      message: { messageId: 'request' },
    })
  })

  it('keeps the metadata and extensions that this agent reads', () => {
    const kept = { 'x402.payment.status': 'payment-submitted', skill: 'iban', skillId: 'iban' }
    const extensions = [X402_V01, 'https://example.com/other', X402_V02]
    expect(sent({ metadata: { ...kept, other: 1, 'x-x402.payment': 1 }, extensions })).toMatchObject({
      message: { metadata: kept, extensions: [X402_V02, X402_V01] },
    })
    expect(sent({ metadata: { other: 1 } })).toHaveProperty('message.metadata', {})
    expect(sent({ metadata: null, extensions: null })).toMatchObject({ message: { extensions: [] } })
    expect(sent({ extensions: 'x' })).toBe('message.extensions must be an array')
    expect(sent({ extensions: ['x', 7] })).toBe('message.extensions[1] must be a string')
    for (const metadata of ['x', [], 7]) expect(sent({ metadata })).toBe('message.metadata must be an object')
  })
})

describe('a part', () => {
  it('is named if it is refused', () => {
    expect(sent({ parts: 'x' })).toBe('message.parts must be an array')
    expect(sent({ parts: [{ text: 'a' }, 7] })).toBe('message.parts[1] must be an object')
    expect(sent({ parts: [{ text: 'a' }, { text: 7 }] })).toBe('message.parts[1].text must be a string')
    expect(partOf({ data: [] })).toBe('message.parts[0].data must be an object')
    for (const part of [{}, { text: 'a', data: {} }, { text: null }])
      expect(partOf(part)).toBe('message.parts[0] must have either "text" or "data"')
    expect(partOf({ kind: 'text' }, '0.3')).toBe('message.parts[0].text must be a string')
    expect(partOf({ kind: 'data', data: 'x' }, '0.3')).toBe('message.parts[0].data must be an object')
    expect(partOf({ kind: 'x' }, '0.3')).toBe('message.parts[0].kind must be "text" or "data"')
    expect(partOf({ kind: 'file' }, '0.3')).toBe(-32005)
  })

  it('keeps its text or data, and nothing beside', () => {
    const more = { metadata: { a: 1 }, filename: 'x' }
    expect(partOf({ text: 'a', data: null, ...more })).toEqual({
      ...withParts([{ text: 'a' }]),
      configuration: {},
    })
    expect(partOf({ data: { b: 1 }, ...more })).toMatchObject(withParts([{ data: { b: 1 } }]))
    const text = { kind: 'text', text: 'a' }
    expect(partOf({ ...text, ...more }, '0.3')).toMatchObject(withParts([text]))
    const data = { kind: 'data', data: { b: 1 } }
    expect(partOf({ ...data, ...more }, '0.3')).toMatchObject(withParts([data]))
  })

  it('of text may be plain, Markdown or JSON', () => {
    const types = [
      '',
      'text/plain',
      'TEXT/Markdown',
      'text/plain;charset=utf-8',
      'text/plain ; x',
      'application/json',
    ]
    for (const mediaType of types)
      expect([mediaType, partOf({ text: 'a', mediaType })]).toMatchObject([
        mediaType,
        withParts([{ text: 'a' }]),
      ])
    expect(partOf({ text: 'a', mediaType: 7 })).toBe('message.parts[0].mediaType must be a string')
    for (const mediaType of ['text/html', 'text/plainer', 'x text/plain', 'text/plain x'])
      expect([mediaType, partOf({ text: 'a', mediaType })]).toEqual([mediaType, -32005])
  })

  it('of data may be JSON of any kind', () => {
    const types = ['', 'application/json', 'APPLICATION/JSON', 'application/json;', 'application/json ; x=1']
    for (const mediaType of [...types, 'application/a.b+json', 'application/a+json;charset=utf-8'])
      expect([mediaType, partOf({ data: {}, mediaType })]).toMatchObject([
        mediaType,
        withParts([{ data: {} }]),
      ])
    const others = [
      'text/plain',
      'application/jsonx',
      'application/json x',
      'application/+json',
      'x/json',
      'application/a b+json',
    ]
    for (const mediaType of [...others, ' application/json'])
      expect([mediaType, partOf({ data: {}, media_type: mediaType })]).toEqual([mediaType, -32005])
  })
})
