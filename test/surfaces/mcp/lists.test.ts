/** Lists over MCP: one payment for up to 1,000 values. */
import type { PaymentRequired } from '@x402/core/types'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signPayment } from '../../support/chain-payments.ts'
import { realRegistry } from '../../support/registry.ts'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'
import { enveloped, modernHeaders, startMcp } from './mcp-service.ts'

const registry = realRegistry()
let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const ITEMS = [
  { type: 'iban', value: 'DE89370400440532013000' },
  { type: 'email', value: 'nonsense' },
  { type: 'pl-nip', value: '5260250274' },
]
const CANARY = 'CANARY-5260250274'

const verdictOf = ({ type, value }: { type: string; value: string }) => registry.get(type)?.check(value)

async function post(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at member by member
  return { status: response.status, text, json: JSON.parse(text) as any }
}

const message = (args: unknown, _meta: object = {}, name = 'validate_batch') => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args, _meta },
})

const call = (args: unknown, payment?: unknown, name?: string) =>
  post(message(args, payment === undefined ? {} : { 'x402/payment': payment }, name))

async function payFor(args: unknown, name?: string) {
  const { accepts } = (await call(args, undefined, name)).json.result.structuredContent as PaymentRequired
  const [terms] = accepts
  if (terms === undefined) throw new Error('no terms')
  return (await signPayment(service.buyer, terms, {})).payload
}

async function listTool() {
  const { json } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  return json.result.tools.at(-1)
}

describe('the tool', () => {
  test('names price, limits and privacy, and no price that a wallet would sign', async () => {
    const { name, description, _meta } = await listTool()
    expect(name).toBe('validate_batch')
    for (const words of ['1 to 1,000 values', '$0.001 in USDC per value', '512 characters', 'stored, logged'])
      expect(description).toContain(words)
    expect(_meta).toEqual({ x402: { paymentRequired: true }, 'agents-x402/paymentRequired': true })
  })

  test('declares a schema that terms and results both fit', async () => {
    const { inputSchema, outputSchema } = await listTool()
    const takes = new Ajv2020({ strict: false }).compile(inputSchema)
    const fits = new Ajv2020({ strict: false }).compile(outputSchema)
    const args = { items: ITEMS }
    const unpaid = (await call(args)).json.result.structuredContent
    const sold = (await call(args, await payFor(args))).json.result.structuredContent
    const one = { items: ITEMS.slice(0, 1) }
    expect([args, one, { items: [] }, { value: 'x' }].map((each) => takes(each))).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect([fits(unpaid), fits(sold), fits({ ...sold, count: 'x' }), fits({})]).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(fits({ ...unpaid, accepts: true })).toBe(false)
  })
})

describe('an unpaid list', () => {
  test.each([
    [1, '1000', '$0.001'],
    [3, '3000', '$0.003'],
    [1000, '1000000', '$1'],
  ])('of %i values is quoted for as many', async (count, amount, price) => {
    const items = Array.from({ length: count }, () => ITEMS[0])
    const { status, json } = await call({ items })
    expect([status, json.result.isError]).toEqual([200, true])
    const { accepts, error } = json.result.structuredContent
    expect([accepts.length, accepts[0].amount]).toEqual([1, amount])
    expect(error).toContain(`This call costs ${price} in USDC on Base.`)
    expect(json.result._meta['format-checker/error'].code).toBe('payment_required')
  })
})

describe('a paid list', () => {
  test('answers each value with the bytes of a single call, in order, for one payment', async () => {
    const before = await service.books()
    const payment = await payFor({ items: ITEMS })
    const { json, text } = await call({ items: ITEMS }, payment)
    const results = ITEMS.map(verdictOf)
    const expected = JSON.stringify({ count: 3, valid: 2, invalid: 1, results })
    expect(json.result.content[0].text).toBe(expected)
    expect(text).toContain(`"structuredContent":${expected}`)
    expect(json.result._meta['x402/payment-response']).toMatchObject({ success: true })
    const after = await service.books()
    expect([after.rows - before.rows, after.payee - before.payee]).toEqual([1, 3000n])
  })

  test('is answered by the protocol of 2026-07-28, too', async () => {
    const params = {
      name: 'validate_batch',
      arguments: { items: ITEMS },
      _meta: { 'x402/payment': await payFor({ items: ITEMS }) },
    }
    const sent = { method: 'tools/call', params }
    const { json } = await post(enveloped(sent), modernHeaders(sent))
    expect(json.result.structuredContent.count).toBe(3)
  })

  test('of 1,000 long values passes, over 64 kB', async () => {
    const items = Array.from({ length: 1000 }, (_, at) => ({
      type: 'email',
      value: `${'a'.repeat(500)}${at}@x.pl`,
    }))
    const { status, json } = await call({ items }, await payFor({ items }))
    expect([status, json.result.structuredContent.invalid]).toEqual([200, 1000])
  })

  test('of one value is not the single call of that value', async () => {
    const [item] = ITEMS as [(typeof ITEMS)[0]]
    const payment = await payFor({ items: [item] })
    await call({ items: [item] }, payment)
    const { json } = await call({ value: item.value }, payment, 'validate_iban')
    expect(json.result._meta['format-checker/error'].code).toBe('payment_already_used')
  })
})

describe('a list out of form', () => {
  const one = { type: 'iban', value: CANARY }
  test.each<[string, unknown, string, number?]>([
    ['is missing', {}, 'list_missing'],
    ['is an object', { items: { 0: one } }, 'list_missing'],
    ['has values for items', { values: [CANARY] }, 'list_missing'],
    ['has a text as item', { items: [one, CANARY] }, 'item_not_an_object', 1],
  ])('that %s costs nothing and shows no value', async (_what, args, code, index) => {
    const payment = await payFor({ items: ITEMS })
    const before = await service.books()
    const { status, json, text } = await call(args, payment)
    expect([status, json.result.isError]).toEqual([200, true])
    expect(json.result._meta['format-checker/error']).toEqual({
      code,
      ...(index === undefined ? {} : { index }),
      charged: false,
      retry: 'fix',
    })
    expect(json.result.content[0].text).toMatch(new RegExp(`^${code}: `))
    if (index !== undefined) expect(json.result.content[0].text).not.toMatch(/: The (?:arguments|member)/)
    expect(json.result.content[0].text.includes(`(items[${index}])`)).toBe(index !== undefined)
    expect(text).not.toContain('CANARY')
    expect(service.logged.join('')).not.toContain('CANARY')
    expect(await service.books()).toEqual(before)
  })

  test('is refused if the id of the message contains one of its values', async () => {
    const sent = { ...message({ items: ITEMS }), id: 'call 526-025-02-74' }
    const { status, json, text } = await post(sent)
    expect([status, json.id, json.error.code]).toEqual([400, null, -32600])
    expect(text).not.toContain('526-025')
  })
})

describe('a body', () => {
  const padded = (name: string, bytes: number) =>
    JSON.stringify(message({ items: ITEMS, value: 'x' }, { padding: 'x'.repeat(bytes) }, name))

  test('over 64 kB is read for a list only, over 1 MB for nothing', async () => {
    expect((await post(padded('validate_batch', 70_000))).status).toBe(200)
    for (const body of [
      padded('validate_iban', 70_000),
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { x: 'x'.repeat(70_000) } }),
      padded('validate_batch', 1_048_576),
    ]) {
      const { status, json } = await post(body)
      expect([status, json.error.data.code]).toEqual([413, 'body_too_large'])
    }
  })

  test('of a list may have 1 MB to the byte', async () => {
    const body = JSON.stringify(message({ items: ITEMS })).padEnd(1_048_576)
    expect((await post(body)).status).toBe(200)
    expect((await post(`${body} `)).status).toBe(413)
  })

  test('over 64 kB of a client over its limit is not read', async () => {
    const mcp = await startMcp({ registry, blocked: 30 })
    const { status, headers, json } = await mcp.ask({ body: padded('validate_batch', 70_000) })
    await mcp.close()
    expect([status, headers['retry-after'], json.error.data.code]).toEqual([429, '30', 'too_many_requests'])
    expect(mcp.sent).toEqual([])
  })

  test.each([70_000, 1_048_576])('of %i bytes too many counts as an unpaid request', async (bytes) => {
    const mcp = await startMcp({ registry })
    await mcp.ask({ body: padded('validate_iban', bytes) })
    await mcp.close()
    expect(mcp.counted).toEqual(['hit unpaid'])
  })

  const DEEP = 400_000
  test.each([
    ['arguments', `{"name":"validate_batch","arguments":{"items":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}}`],
    [
      'an item',
      `{"name":"validate_batch","arguments":{"items":[{"type":"iban","value":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}]}}`,
    ],
    [
      'the payment',
      `{"name":"validate_batch","arguments":{"items":[{"type":"iban","value":"x"}]},"_meta":{"x402/payment":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}}`,
    ],
    [
      'a member of the payment',
      `{"name":"validate_batch","arguments":{"items":[{"type":"iban","value":"x"}]},"_meta":{"x402/payment":{"x402Version":2,"payload":{},"accepted":{"extra":${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}}}}}`,
    ],
  ])('nested as deep as 1 MB allows, in %s, breaks nothing', async (_where, params) => {
    const { status, text } = await post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)
    expect([200, 400]).toContain(status)
    expect(text).not.toContain('internal_error')
    expect(service.logged.join('')).not.toContain('"defect"')
  })
})
