/** What programs in the field send: nulls for what is absent, arguments as text, members of their own, cursors, old versions. */
import { describe, expect, test } from 'vitest'
import { call, type Message, startForTest } from './mcp-service.ts'

const PAID = { 'x402/payment': { x402Version: 2 } }
const WITH_ARGUMENTS = (args: unknown, name = 'validate_iban'): Message & object =>
  ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta: PAID } }) as never

describe.each(['post', 'modern'] as const)('over %s', (era) => {
  test.each([
    ['a member of the host', { value: 'good', toolCallId: 'call_1' }],
    ['a member that is null', { value: 'good', note: null }],
    ['a member named __proto__', JSON.parse('{"value":"good","__proto__":{}}')],
    ['a text of JSON', '{"value":"good"}'],
  ])('arguments with %s are sold as the value they hold', async (_what, args) => {
    const mcp = await startForTest()
    const { json } = await mcp[era](WITH_ARGUMENTS(args))
    expect(json.result.structuredContent).toMatchObject({ type: 'iban', valid: true })
    expect(mcp.sent).toMatchObject([{ call: { items: [{ value: 'good' }] } }])
  })

  const item = { type: 'iban', value: 'good' }
  test.each([
    ['as a text of JSON', { items: JSON.stringify([item, item]) }],
    ['in arguments that are a text', JSON.stringify({ items: [item, item] })],
    ['with members of the host', { items: [{ ...item, id: 7 }, item], toolCallId: 'call_1' }],
  ])('a list %s is sold whole', async (_what, args) => {
    const mcp = await startForTest()
    const { json } = await mcp[era](WITH_ARGUMENTS(args, 'validate_batch'))
    expect(json.result.structuredContent).toMatchObject({ count: 2 })
  })

  test.each([
    ['null', null, 'value_missing'],
    ['a value of null', { value: null }, 'value_not_string'],
    ['a text that is no JSON', '{"value":', undefined],
  ])('arguments of %s cost nothing', async (_what, args, code) => {
    const mcp = await startForTest()
    const { json } = await mcp[era](WITH_ARGUMENTS(args))
    if (code === undefined) expect(json.error).toMatchObject({ code: -32602, data: { charged: false } })
    else expect(json.result._meta['format-checker/error']).toMatchObject({ code, charged: false })
    expect(mcp.sent).toEqual([])
  })

  test.each([
    'tools/list',
    'resources/list',
    'resources/templates/list',
    'prompts/list',
  ])('%s has one page: a cursor is refused and named, null is not one', async (method) => {
    const mcp = await startForTest()
    const refused = await mcp[era]({ jsonrpc: '2.0', id: 1, method, params: { cursor: 'next' } } as never)
    expect(refused.json.error).toMatchObject({ code: -32602, message: expect.stringContaining('"cursor"') })
    const first = await mcp[era]({ jsonrpc: '2.0', id: 1, method, params: { cursor: null } } as never)
    expect(first.json.error).toBeUndefined()
  })

  test('a prompt and a tool that are not there are named by their member, never by their name', async () => {
    const mcp = await startForTest()
    for (const [method, words] of [
      ['prompts/get', 'no prompt'],
      ['tools/call', 'no tool'],
    ] as const) {
      const params = { name: 'DE89370400440532013000', arguments: {} }
      const { json, text } = await mcp[era]({ jsonrpc: '2.0', id: 1, method, params } as never)
      expect(json.error).toMatchObject({ code: -32602, message: expect.stringContaining(words) })
      expect(text).not.toContain('DE89')
    }
  })

  test('a param that is missing or out of form is named', async () => {
    const mcp = await startForTest()
    const nameless = await mcp[era]({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} } as never, {
      'mcp-name': 'validate_iban',
    })
    expect(nameless.json.error).toMatchObject({ code: -32602, message: expect.stringContaining('name') })
    const listed = await mcp[era](WITH_ARGUMENTS([]))
    expect(listed.json.error).toMatchObject({ code: -32602, message: expect.stringContaining('arguments') })
  })
})

test.each([
  ['params', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: null }],
  ['_meta', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: null } }],
  ['progressToken', { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { progressToken: null } } }],
  [
    'members of clientInfo and capabilities',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        clientInfo: { name: 'n', version: '1', title: null, websiteUrl: null, icons: null },
        capabilities: { roots: null, sampling: null, elicitation: null, experimental: null },
      },
    },
  ],
])('null is absent: %s', async (_what, message) => {
  const mcp = await startForTest()
  const { json } = await mcp.post(message)
  expect(json.error).toBeUndefined()
})

test('an id of null keeps its meaning', async () => {
  const mcp = await startForTest()
  const { status, json } = await mcp.post({ jsonrpc: '2.0', id: null, method: 'ping' })
  expect([status, json.error.code]).toEqual([400, -32600])
})

test('a value inside arguments that are text is found in an id', async () => {
  const mcp = await startForTest()
  const value = 'DE89370400440532013000'
  const message = { ...WITH_ARGUMENTS(JSON.stringify({ value })), id: `call-${value}` }
  const { status, text } = await mcp.post(message)
  expect(status).toBe(400)
  expect(text).not.toContain(value)
})

test.each(['2024-10-07', '2025-03-26', '1999-12-31'])('the version header %s is refused', async (version) => {
  const mcp = await startForTest()
  const { status, json } = await mcp.post(call('good'), { 'mcp-protocol-version': version })
  expect([status, json.error.message]).toEqual([400, expect.stringContaining('2025-11-25')])
})
