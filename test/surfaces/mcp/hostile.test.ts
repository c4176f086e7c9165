import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enveloped, type McpService, type Message, modernHeaders, startMcp } from './mcp-service.ts'

const METHODS = ['initialize', 'ping', 'tools/list', 'tools/call', 'resources/read', 'server/discover', 'x']

let mcp: McpService
beforeAll(async () => {
  mcp = await startMcp()
})
afterAll(() => mcp.close())

const message = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '1.0'),
    id: fc.oneof(fc.jsonValue(), fc.integer(), fc.string()),
    method: fc.oneof(fc.constantFrom(...METHODS), fc.jsonValue()),
    params: fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          name: fc.oneof(fc.constant('validate_iban'), fc.jsonValue()),
          uri: fc.jsonValue(),
          arguments: fc.oneof(fc.record({ value: fc.jsonValue() }), fc.jsonValue()),
          _meta: fc.oneof(fc.record({ 'x402/payment': fc.jsonValue() }), fc.jsonValue()),
          inputResponses: fc.jsonValue(),
          requestState: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    ),
    result: fc.jsonValue(),
    error: fc.jsonValue(),
  },
  { requiredKeys: ['method'] },
)

test('whatever JSON is sent, the answer is JSON-RPC or nothing, and no defect', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), message), async (body) => {
      const { status, json, text } = await mcp.post(body)
      expect([200, 202, 400]).toContain(status)
      expect(text === '' || json.jsonrpc === '2.0').toBe(true)
      expect(mcp.logged).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('whatever stands in the envelope of 2026-07-28, the answer is JSON-RPC or nothing, and no defect', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...METHODS),
      fc.dictionary(fc.string(), fc.jsonValue()),
      async (method, params) => {
        const sent: Message = { method, params }
        const { status, json, text } = await mcp.ask({
          headers: modernHeaders({ method }),
          body: JSON.stringify(enveloped(sent)),
        })
        expect([200, 400, 404]).toContain(status)
        expect(text === '' || json.jsonrpc === '2.0').toBe(true)
        expect(mcp.logged).toEqual([])
      },
    ),
    { numRuns: 200 },
  )
})

const deepObject = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

test.each([
  ['an object', '{}'],
  ['a list', '[]'],
  ['a boolean', 'true'],
  ['an object that cannot be a text', '{"toString":1,"valueOf":1}'],
  ['15,000 lists deep', '['.repeat(15_000) + ']'.repeat(15_000)],
  ['9,000 objects deep', deepObject(9_000)],
  ['129 characters long', `"${'x'.repeat(129)}"`],
  ['a fraction', '1.5'],
  ['of thirty digits', '9'.repeat(30)],
  ['the first number that is another one, too', '9007199254740992'],
])('an id or progress token that is %s is an error of the protocol', async (_what, json) => {
  const params = (meta: string) =>
    `{"name":"validate_iban","arguments":{"value":"DE89370400440532013000"},"_meta":${meta}}`
  const bodies = [
    [`{"jsonrpc":"2.0","id":${json},"method":"tools/call","params":${params('{}')}}`, -32600],
    [
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params(`{"progressToken":${json}}`)}}`,
      -32602,
    ],
  ] as const
  for (const [body, code] of bodies) {
    const { status, json: answer } = await mcp.ask({ body })
    expect(status).toBe(400)
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } })
    expect(answer.error.message).toContain(
      'must be a string of at most 128 characters or an integer between -2^53 and 2^53',
    )
  }
  expect(mcp.logged).toEqual([])
})

test('deep nesting, wherever it stands, breaks nothing', async () => {
  const deep = `${'['.repeat(15_000)}${']'.repeat(15_000)}`
  const bodies = [
    deep,
    `{"jsonrpc":"2.0","id":${deep},"method":"ping"}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"validate_iban","arguments":{"value":${deep}}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"x":${deep}}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"validate_iban","arguments":{"value":"x"},"_meta":{"x402/payment":${deep}}}}`,
  ]
  for (const body of bodies) {
    const { status } = await mcp.ask({ body })
    expect([200, 400]).toContain(status)
  }
  expect(mcp.logged).toEqual([])
})
