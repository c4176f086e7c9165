/** Every kind of answer over MCP, under the schemas that the SDKs publish for the revision of its era. */
import assert from 'node:assert/strict'
import { type Json, MCP_ERAS, mcp, newPayment, post, VALUE } from '../doors/exchange.ts'
import type { Target, Trial } from '../target.ts'

// Named in variables because this folder's packages are absent when the product is type-checked.
const OLDER = { '2025-06-18': 'sdk-1.26', '2025-11-25': '@modelcontextprotocol/sdk' }
const NEWEST = '@modelcontextprotocol/client'

/** Answers by the name of the type that the revision gives their result. */
async function resultsOf(target: Target, era: string): Promise<readonly (readonly [string, Json])[]> {
  const ask = async (method: string, params?: object) => (await mcp(target, era, method, params)).json
  const pay = async (name: string, args: object, meta: object = {}) =>
    ask('tools/call', { name, arguments: args, _meta: meta })
  const { resources } = (await ask('resources/list')).result
  const payment = { 'x402/payment': await newPayment(target) }
  return [
    ['ListToolsResult', await ask('tools/list')],
    ['ListResourcesResult', await ask('resources/list')],
    ['ListResourceTemplatesResult', await ask('resources/templates/list')],
    ['ListPromptsResult', await ask('prompts/list')],
    ...(await Promise.all(
      resources.map(
        async ({ uri }: Json) => ['ReadResourceResult', await ask('resources/read', { uri })] as const,
      ),
    )),
    ['CallToolResult', await pay('validate_iban', { value: VALUE })],
    ['CallToolResult', await pay('validate_iban', { value: VALUE }, payment)],
    ['CallToolResult', await pay('validate_iban', { value: VALUE }, payment)],
    ['CallToolResult', await pay('validate_iban', { value: 'another' }, payment)],
    ['CallToolResult', await pay('validate_iban', { other: VALUE })],
    ['CallToolResult', await pay('validate_batch', { items: [{ type: 'iban', value: VALUE }] })],
  ]
}

const ERRORS = ['prompts/get', 'no/such', 'resources/read'] as const

/** Throws unless a schema of the SDK takes a value, and gives every member of it back. */
function assertFits(schema: Json, value: Json, what: string): void {
  assert.ok(schema, `there is no schema ${what}`)
  const { success, error, data } = schema.safeParse(value)
  assert.ok(success, `${what}: ${error}`)
  assert.deepEqual(data, value, what)
}

async function assertEra(target: Target, era: string, schemaOf: (name: string) => Json): Promise<void> {
  const results = await resultsOf(target, era)
  for (const [name, answer] of results) {
    assertFits(schemaOf('JSONRPCResultResponse') ?? schemaOf('JSONRPCResponse'), answer, `${era} response`)
    assertFits(schemaOf(name), answer.result, `${era} ${name}`)
  }
  const { result } = results[0]?.[1] ?? {}
  for (const tool of result.tools) assertFits(schemaOf('Tool'), tool, `${era} ${tool.name}`)
  for (const method of ERRORS) {
    const { json } = await mcp(target, era, method, { name: 'x', uri: 'file:///none' })
    assertFits(schemaOf('JSONRPCErrorResponse') ?? schemaOf('JSONRPCError'), json, `${era} ${method}`)
  }
}

async function begin(target: Target, protocolVersion: string): Promise<Json> {
  const params = { protocolVersion, clientInfo: { name: 'n', version: '1' }, capabilities: {} }
  return (await post(target, '/mcp', { jsonrpc: '2.0', id: 1, method: 'initialize', params })).json
}

export const mcpSchemaTrials: readonly Trial[] = [
  ...Object.entries(OLDER).map(([version, name]) => ({
    name: `the schemas of ${name} fit every answer over ${version}`,
    async run(target: Target) {
      const types = await import(`${name}/types.js`)
      const schemaOf = (type: string) => types[`${type}Schema`]
      const { result } = await begin(target, version)
      assert.equal(result.protocolVersion, version)
      assertFits(schemaOf('InitializeResult'), result, `${version} InitializeResult`)
      await assertEra(target, version, schemaOf)
    },
  })),
  {
    name: 'the schemas of @modelcontextprotocol/client 2.4.0 fit every answer over 2026-07-28',
    async run(target) {
      const { specTypeSchemas } = await import(NEWEST)
      const [, era] = MCP_ERAS
      const schemaOf = (type: string) => specTypeSchemas[type]
      assertFits(
        schemaOf('DiscoverResult'),
        (await mcp(target, era, 'server/discover')).json.result,
        'DiscoverResult',
      )
      await assertEra(target, era, schemaOf)
    },
  },
]
