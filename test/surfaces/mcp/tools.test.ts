import { Ajv2020 } from 'ajv/dist/2020.js'
import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Skill } from '../../../src/catalog/skill.ts'
import { madeUpSkills } from './made-up-skills.ts'
import { call, expectSmallTools, type McpService, startMcp } from './mcp-service.ts'
import { ASSET, PAY_TO } from './terms.ts'

const PAID = { 'x402/payment': { x402Version: 2 } }
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

/** The longest words a skill may have. */
function wordyRegistry() {
  const { all } = madeUpSkills()
  const wordy = all.map((skill) => ({ ...skill, description: 'x'.repeat(450) })) as [Skill, ...Skill[]]
  const get = (id: string) => wordy.find((skill) => skill.id === id)
  return { all: wordy, get, resolve: get, nearest: () => undefined }
}

let mcp: McpService
beforeAll(async () => {
  mcp = await startMcp({ registry: wordyRegistry() })
})
afterAll(() => mcp.close())

describe.each(['older', '2026-07-28'])('tools/list (%s)', (era) => {
  const list = () => (era === 'older' ? mcp.post(LIST) : mcp.modern(LIST))

  test('names an operation per check, in their order, then the list', async () => {
    const { json } = await list()
    expect(json.result.tools.map((tool: { name: string }) => tool.name)).toEqual([
      ...CHECK_TYPES.map((type) => `validate_${type.replaceAll('-', '_')}`),
      'validate_batch',
    ])
  })

  test('has small tools, also with the longest words a skill may have', async () => {
    const { json } = await list()
    expectSmallTools(json.result.tools)
  })

  test('has no $schema anywhere, object roots, and loose inputs without composition', async () => {
    const { json, text } = await list()
    expect(text).not.toContain('$schema')
    for (const { inputSchema, outputSchema } of json.result.tools) {
      expect([inputSchema.type, outputSchema.type]).toEqual(['object', 'object'])
      expect(JSON.stringify(inputSchema)).not.toMatch(
        /"(anyOf|oneOf|allOf|not|if|\$ref|pattern|format|enum|const)"/,
      )
    }
  })

  test('says the price in words, in terms and as a number, and that nothing is changed by a call', async () => {
    const { json } = await list()
    for (const tool of json.result.tools.slice(0, -1)) {
      expect(tool.title).toMatch(/^Title of /)
      expect(tool.description).toMatch(/x Costs \$0\.001 in USDC per call/)
      expect(tool._meta).toEqual({
        x402: {
          paymentRequired: true,
          scheme: 'exact',
          network: 'eip155:8453',
          asset: ASSET,
          amount: '1000',
          payTo: PAY_TO,
          maxTimeoutSeconds: 120,
          extra: { name: 'USD Coin', version: '2' },
        },
        'agents-x402/paymentRequired': true,
        'agents-x402/priceUSD': 0.001,
      })
      expect(tool.annotations).toEqual({
        readOnlyHint: false,
        idempotentHint: true,
        destructiveHint: false,
        openWorldHint: false,
      })
    }
  })

  test('declares an output schema that a result and the terms both fit', async () => {
    const { json } = await list()
    const terms = (await mcp.post(call('good'))).json.result.structuredContent
    const verdict = (await mcp.post(call('good', PAID))).json.result.structuredContent
    const fits = new Ajv2020({ strict: false }).compile(json.result.tools[0].outputSchema)
    expect([fits(terms), fits(verdict), fits({})]).toEqual([true, true, false])
    for (const member of ['type', 'valid', 'normalized', 'reason', 'details'])
      for (const other of [undefined, 7]) {
        const spoiled = JSON.parse(JSON.stringify({ ...verdict, [member]: other }))
        expect([member, other, fits(spoiled)]).toEqual([member, other, false])
      }
    expect(fits({ ...verdict, valid: false, normalized: null })).toBe(true)
    for (const member of ['x402Version', 'error', 'resource', 'accepts', 'extensions'])
      expect([member, fits({ ...terms, [member]: true })]).toEqual([member, false])
    for (const member of ['x402Version', 'accepts'])
      expect([member, fits(JSON.parse(JSON.stringify({ ...terms, [member]: undefined })))]).toEqual([
        ...[member, false],
      ])
    expect(fits({ ...terms, accepts: ['exact'] })).toBe(false)
    expect(fits({ ...terms, extensions: {} })).toBe(true)
  })

  test('declares the arguments that it takes', async () => {
    const { json } = await list()
    const [single, lists] = [json.result.tools[0], json.result.tools.at(-1)].map((tool) =>
      new Ajv2020({ strict: false }).compile(tool.inputSchema),
    )
    const item = { type: 'iban', value: 'x'.repeat(512) }
    expect([{ value: 'x' }, {}, { value: 7 }].map((each) => single?.(each))).toEqual([true, false, false])
    const items = (...values: unknown[]) => lists?.({ items: values })
    expect([items(item), items(item, item), lists?.({ items: 'x' }), items()]).toEqual([
      ...[true, true, false, false],
    ])
    for (const bad of ['x', {}, { type: 'iban' }, { value: 'x' }])
      expect([bad, items(bad)]).toEqual([bad, false])
    for (const bad of [{ type: 7 }, { value: 7 }, { value: 'x'.repeat(513) }])
      expect([bad, items({ ...item, ...bad })]).toEqual([bad, false])
    // What hosts add of their own is ignored, as the schemas say.
    expect(lists?.({ items: [{ ...item, more: 1 }], more: 1 })).toBe(true)
    expect(single?.({ value: 'x', toolCallId: 'call_1' })).toBe(true)
    expect(lists?.({})).toBe(false)
    expect([1_000, 1_001].map((count) => items(...Array(count).fill(item)))).toEqual([true, false])
  })
})

describe('resources', () => {
  test('are two and free', async () => {
    const { json } = await mcp.post({ jsonrpc: '2.0', id: 1, method: 'resources/list' })
    expect(
      json.result.resources.map(({ uri, mimeType }: { uri: string; mimeType: string }) => [uri, mimeType]),
    ).toEqual([
      ['https://fc.example/api/types', 'application/json'],
      ['https://fc.example/llms-full.txt', 'text/markdown'],
    ])
  })

  test.each([
    ['https://fc.example/api/types', '{"price":"$0.001"}'],
    ['https://fc.example/llms-full.txt', '# Docs'],
  ])('%s is read', async (uri, content) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } }
    for (const answer of [await mcp.post(message), await mcp.modern(message)]) {
      expect(answer.json.result.contents).toMatchObject([{ uri, text: content }])
    }
  })

  test.each([
    ['file:///etc/motd', { uri: 'file:///etc/motd' }],
    ['git+ssh://motd', { uri: 'git+ssh://motd' }],
    ['x://', { uri: 'x://' }],
    ['://motd', undefined],
    ['x://44051401359', undefined],
    ['x:44051401359/x://motd', undefined],
    ['mailto://jan@example.com', undefined],
  ])('%s is refused, and repeated only where no identifier can stand in it', async (uri, data) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } }
    for (const answer of [await mcp.post(message), await mcp.modern(message)]) {
      expect(answer.json.error.code).toBe(-32602)
      expect(answer.json.error.data).toEqual({ charged: false, retry: 'fix', ...data })
      expect(answer.json.error.message).not.toContain(uri)
    }
  })

  test('there are no prompts', async () => {
    const list = await mcp.post({ jsonrpc: '2.0', id: 1, method: 'prompts/list' })
    expect(list.json.result).toEqual({ prompts: [] })
  })
})
