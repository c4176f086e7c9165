/** What MCP programs send: nulls for what is absent, arguments as text, members of their own, cursors, old versions. */
import assert from 'node:assert/strict'
import type { Target, Trial } from '../target.ts'
import { type Answer, type Json, MCP_ERAS, mcp, post, VALUE } from './exchange.ts'

const inBothEras = (name: string, run: (target: Target, era: string) => Promise<void>): readonly Trial[] =>
  MCP_ERAS.map((era) => ({ name: `MCP ${era}: ${name}`, run: (target) => run(target, era) }))

const call = (target: Target, era: string, args: unknown, name = 'validate_iban'): Promise<Answer> =>
  mcp(target, era, 'tools/call', { name, arguments: args })

/** The call was understood, so its answer is the price. */
function assertPriced({ json }: Answer, amount: string): void {
  assert.equal(
    json.result?.structuredContent?.accepts?.[0]?.amount,
    amount,
    JSON.stringify(json).slice(0, 600),
  )
}

/** Throws unless the params were refused in words that have `named`, and without a piece of what was sent. */
function assertNamed({ json }: Answer, named: string): void {
  assert.equal(json.error?.code, -32602, JSON.stringify(json))
  assert.ok(json.error.message.includes(named), json.error.message)
  assert.equal(json.error.data.charged, false)
  assert.ok(!JSON.stringify(json).includes(VALUE))
}

const item = { type: 'iban', value: VALUE }
const PAGED = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']

export const mcpDoors: readonly Trial[] = [
  ...inBothEras(
    'members of the host are ignored, in arguments and in items (n8n: toolCallId)',
    async (target, era) => {
      assertPriced(await call(target, era, { value: VALUE, toolCallId: 'call_1' }), '1000')
      assertPriced(await call(target, era, JSON.parse(`{"value":"${VALUE}","__proto__":{}}`)), '1000')
      const items = [{ ...item, id: 7 }, item]
      assertPriced(await call(target, era, { items, toolCallId: 'call_1' }, 'validate_batch'), '2000')
      const { tools } = (await mcp(target, era, 'tools/list')).json.result
      for (const { inputSchema } of tools)
        assert.doesNotMatch(JSON.stringify(inputSchema), /"additionalProperties":false/)
    },
  ),
  ...inBothEras('arguments and lists that are a text of JSON are read (Claude Code)', async (target, era) => {
    assertPriced(await call(target, era, JSON.stringify({ value: VALUE })), '1000')
    assertPriced(await call(target, era, { items: JSON.stringify([item, item]) }, 'validate_batch'), '2000')
    assertPriced(await call(target, era, JSON.stringify({ items: [item, item] }), 'validate_batch'), '2000')
    assertNamed(await call(target, era, '{"value":'), 'arguments')
    const { status, text } = await mcp(target, era, 'tools/call', {
      ...{ name: 'validate_iban', arguments: JSON.stringify({ value: VALUE }) },
      _meta: { progressToken: `call-${VALUE}` },
    })
    assert.deepEqual([status, text.includes(VALUE)], [400, false])
  }),
  ...inBothEras(
    'null is absent in optional members, and keeps its meaning elsewhere',
    async (target, era) => {
      assertPriced(await call(target, era, { value: VALUE, note: null }), '1000')
      const codeOf = ({ json }: Answer) => json.result._meta['format-checker/error'].code
      assert.equal(codeOf(await call(target, era, null)), 'value_missing')
      assert.equal(codeOf(await call(target, era, { value: null })), 'value_not_string')
      const nulls = await mcp(target, era, 'tools/list', { cursor: null, _meta: { progressToken: null } })
      const none = await mcp(target, era, 'tools/list', {})
      assert.deepEqual(nulls.json.result, none.json.result)
    },
  ),
  {
    name: 'MCP: null is absent in a handshake, and an id of null is refused',
    async run(target) {
      const clientInfo = { name: 'n', version: '1', title: null, websiteUrl: null, icons: null }
      const capabilities = { roots: null, sampling: null, elicitation: null, experimental: null }
      const sent: readonly [string, Json][] = [
        ['initialize', { protocolVersion: '2025-11-25', clientInfo, capabilities }],
        ['tools/list', null],
        ['tools/list', { _meta: null }],
      ]
      for (const [method, params] of sent) {
        const { json } = await post(target, '/mcp', { jsonrpc: '2.0', id: 1, method, params })
        assert.equal(json.error, undefined, method)
      }
      const { status, json } = await post(target, '/mcp', { jsonrpc: '2.0', id: null, method: 'ping' })
      assert.deepEqual([status, json.error.code], [400, -32600])
    },
  },
  ...inBothEras('a cursor that was never given out is refused and named', async (target, era) => {
    for (const method of PAGED) assertNamed(await mcp(target, era, method, { cursor: 'next' }), '"cursor"')
  }),
  ...inBothEras('what is not there or out of form is named by its member', async (target, era) => {
    assertNamed(await mcp(target, era, 'prompts/get', { name: VALUE }), 'no prompt')
    assertNamed(await mcp(target, era, 'tools/call', { name: VALUE, arguments: {} }), 'no tool')
    assertNamed(await call(target, era, []), 'arguments')
    const nameless = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }
    if (era === '2025-11-25') assertNamed(await post(target, '/mcp', nameless), '"params.name"')
  }),
  {
    name: 'MCP: revisions that ask for batches or are not served are refused, and those served are named',
    async run(target) {
      for (const version of ['2024-10-07', '2025-03-26', '1999-12-31']) {
        const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
        const { status, json } = await post(target, '/mcp', message, { 'MCP-Protocol-Version': version })
        assert.equal(status, 400)
        assert.match(json.error.message, /2026-07-28, 2025-11-25, 2025-06-18, 2024-11-05/)
        const params = { protocolVersion: version, clientInfo: { name: 'n', version: '1' }, capabilities: {} }
        const begun = await post(target, '/mcp', { jsonrpc: '2.0', id: 1, method: 'initialize', params })
        assert.match(begun.json.result.protocolVersion, /^(2025-11-25|2025-06-18|2024-11-05)$/)
      }
    },
  },
]
