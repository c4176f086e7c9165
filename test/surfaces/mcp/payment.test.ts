import { describe, expect, test } from 'vitest'
import { consequencesOf, type DeclinedCode, type UnpaidCode } from '../../../src/errors.ts'
import { resultJsonOf } from '../../../src/payments/ports/result-json.ts'
import type { Quote, Sale } from '../../../src/payments/ports/sale.ts'
import { call, type ServiceOptions, startForTest } from './mcp-service.ts'
import { RECEIPT, termsOf } from './terms.ts'

const PAYLOAD = { x402Version: 2, payload: { signature: '0x' } }
const PAID = { 'x402/payment': PAYLOAD }

/** A sale that always comes out the same. */
const always = (
  sale: (options: Parameters<NonNullable<ServiceOptions['sell']>>[0]) => Sale,
): ServiceOptions => ({
  sell: async (call) => sale(call),
})

/** A quote that offers its terms a second time. */
function twice(quote: Quote): Quote {
  const required = (code: UnpaidCode) => {
    const once = quote.required(code)
    return { ...once, accepts: [...once.accepts, ...once.accepts] }
  }
  return { ...quote, required }
}

describe.each(['post', 'modern'] as const)('over %s', (era) => {
  test('a call without payment gets the terms in three places', async () => {
    const mcp = await startForTest()
    const { status, json } = await mcp[era](call('good'))
    expect(status).toBe(200)
    const { result } = json
    expect(result.isError).toBe(true)
    expect(result.structuredContent).toMatchObject({
      x402Version: 2,
      resource: { url: 'https://fc.example/mcp' },
    })
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }])
    expect(result._meta['x402/error']).toEqual(result.structuredContent)
    expect(mcp.sent[0]?.rawPayment).toEqual({ kind: 'none' })
    expect(mcp.counted).toEqual(['hit unpaid'])
  })

  test('a paid call gets the verdict twice, byte for byte, and the receipt', async () => {
    const mcp = await startForTest()
    const { json, text } = await mcp[era](call('good one', PAID))
    const { result } = json
    const verdict = JSON.stringify(
      mcp.sent[0]?.call.kind === 'value' && mcp.sent[0].call.items[0].skill.check('good one'),
    )
    expect(result.isError).toBeUndefined()
    expect(result.content[0].text).toBe(verdict)
    expect(JSON.stringify(result.structuredContent)).toBe(verdict)
    expect(text).toContain(`"structuredContent":${verdict}`)
    expect(result._meta['x402/payment-response']).toEqual(RECEIPT)
    expect(result._meta).not.toHaveProperty('format-checker/replayed')
    expect(result._meta).not.toHaveProperty('format-checker/rulesetChanged')
    expect(mcp.sent).toMatchObject([
      {
        call: { kind: 'value', surface: 'mcp', items: [{ value: 'good one' }] },
        rawPayment: { kind: 'object', payload: PAYLOAD },
      },
    ])
    await expect.poll(() => mcp.counted).toEqual(['giveBack'])
  })

  test('a value that is not valid is a result, no error', async () => {
    const mcp = await startForTest()
    const { json } = await mcp[era](call('bad', PAID))
    expect(json.result.isError).toBeUndefined()
    expect(json.result.structuredContent.valid).toBe(false)
  })

  test('the payment may come as base64 text', async () => {
    const mcp = await startForTest()
    const base64 = Buffer.from(JSON.stringify(PAYLOAD)).toString('base64')
    await mcp[era](call('good', { 'x402/payment': base64 }))
    expect(mcp.sent[0]?.rawPayment).toEqual({ kind: 'text', text: base64 })
  })

  test.each([[false], [17], [[]]])('garbage (%j) as payment is handed on as it is', async (garbage) => {
    const mcp = await startForTest()
    await mcp[era](call('good', { 'x402/payment': garbage }))
    expect(mcp.sent[0]?.rawPayment).toEqual({ kind: 'object', payload: garbage })
  })

  test('each tool sells its own skill', async () => {
    const mcp = await startForTest()
    const names = ['iban', 'eu_vat', 'pl_nip', 'pl_regon', 'pl_pesel', 'email']
    for (const name of names) {
      const { json } = await mcp[era](call('good', PAID, `validate_${name}`))
      expect(json.result.structuredContent.type).toBe(name.replace('_', '-'))
    }
  })

  test('a repeat is marked', async () => {
    const mcp = await startForTest(
      always((call) => {
        if (call.kind !== 'value') throw new Error('unexpected')
        const verdict = call.items[0].skill.check(call.items[0].value)
        return {
          kind: 'sold',
          verdicts: [verdict],
          json: resultJsonOf('single', () => [verdict]),
          settlement: RECEIPT,
          replayed: true,
          rulesetChanged: true,
          delivered: () => {},
        }
      }),
    )
    const { json } = await mcp[era](call('good', PAID))
    expect(json.result._meta).toMatchObject({
      'format-checker/replayed': true,
      'format-checker/rulesetChanged': true,
      'x402/payment-response': RECEIPT,
    })
    expect(mcp.counted).toEqual([])
  })

  test.each<UnpaidCode>([
    'payment_malformed',
    'payment_expired',
    'payment_invalid_signature',
    'payment_refused',
  ])('%s comes with terms', async (code) => {
    const settlement = { ...RECEIPT, success: false, transaction: '', errorReason: 'insufficient_funds' }
    const mcp = await startForTest(
      always((call) => {
        if (call.kind !== 'value') throw new Error('unexpected')
        return {
          kind: 'unpaid',
          code,
          quote: termsOf('https://fc.example', call.items[0].skill),
          settlement,
          serverTime: 9,
        }
      }),
    )
    const { status, json } = await mcp[era](call('good', PAID))
    const { result } = json
    expect(status).toBe(200)
    expect(result.isError).toBe(true)
    expect(result._meta['x402/error'].error).toContain(code)
    expect(result._meta['x402/error'].accepts).toHaveLength(1)
    expect(result._meta['x402/payment-response']).toEqual(settlement)
    expect(result._meta['format-checker/serverTime']).toBe(9)
    expect(result.structuredContent).toEqual(result._meta['x402/error'])
    expect(mcp.counted).toEqual(['hit payment'])
  })

  test.each<[DeclinedCode]>([
    ['payment_already_used'],
    ['replay_window_over'],
  ])('%s offers terms once the record of the payment is final', async (code) => {
    const mcp = await startForTest(always(() => ({ kind: 'declined', code, final: true })))
    const { status, json } = await mcp[era](call('good', PAID))
    const { result } = json
    expect([status, result.isError]).toEqual([200, true])
    expect(result.structuredContent).toMatchObject({
      x402Version: 2,
      error: expect.stringMatching(new RegExp(`^${code}: `)),
      accepts: [{ scheme: 'exact' }],
    })
    expect(result.content[0].text).toBe(JSON.stringify(result.structuredContent))
    expect(result._meta['x402/error']).toEqual(result.structuredContent)
    expect(result._meta['format-checker/error']).toMatchObject({ code, retry: 'new_payment' })
    expect(mcp.counted).toEqual(['hit payment'])
  })

  test.each([
    [true],
    [undefined],
  ])('a refusal names what the payment was charged for before, final or not (%s)', async (final) => {
    const declined = { kind: 'declined', code: 'replay_window_over', settlement: RECEIPT } as const
    const mcp = await startForTest(always(() => ({ ...declined, ...(final && { final }) })))
    const { json } = await mcp[era](call('good', PAID))
    expect(json.result._meta['x402/payment-response']).toEqual(RECEIPT)
  })

  test('a payment header counts if the metadata has no payment', async () => {
    const mcp = await startForTest()
    await mcp[era](call('good'), { 'payment-signature': 'YQ==' })
    await mcp[era](call('good'), { 'x-payment': 'YQ==' })
    await mcp[era](call('good', PAID), { 'payment-signature': 'YQ==' })
    expect(mcp.sent.map(({ rawPayment }) => rawPayment)).toMatchObject([
      { kind: 'text', text: 'YQ==' },
      { kind: 'text', text: 'YQ==' },
      { kind: 'object', payload: PAYLOAD },
    ])
  })

  test.each<[DeclinedCode, string[]]>([
    ['payment_already_used', ['hit payment']],
    ['payment_identifier_conflict', ['hit payment']],
    ['replay_window_over', ['hit payment']],
    ['payment_in_doubt', []],
    ['facilitator_unavailable', []],
    ['chain_unavailable', []],
    ['store_unavailable', []],
    ['shutting_down', []],
  ])('%s is an error text without terms', async (code, counted) => {
    const mcp = await startForTest(always(() => ({ kind: 'declined', code, retryAfterSeconds: 5 })))
    const { status, json, headers } = await mcp[era](call('good', PAID))
    const { result } = json
    expect(status).toBe(200)
    expect(headers['retry-after']).toBe('5')
    expect(result.isError).toBe(true)
    expect(result.content).toHaveLength(1)
    expect(result.content[0].text).toMatch(new RegExp(`^${code}: `))
    expect(result).not.toHaveProperty('structuredContent')
    expect(result._meta['x402/error']).toEqual({ error: code, retryAfterSeconds: 5 })
    expect(JSON.stringify(json)).not.toContain('accepts')
    expect(mcp.counted).toEqual(counted)
  })

  test('too many requests of a payer are HTTP 429', async () => {
    const mcp = await startForTest(
      always(() => ({ kind: 'declined', code: 'too_many_requests', retryAfterSeconds: 41 })),
    )
    const { status, json, headers } = await mcp[era](call('good', PAID, undefined, 'abc'))
    expect([status, headers['retry-after']]).toEqual([429, '41'])
    expect(json.id).toBe('abc')
    expect(json.error).toMatchObject({
      ...{ code: 429, data: { code: 'too_many_requests', ...consequencesOf('too_many_requests') } },
    })
    expect(json).not.toHaveProperty('result')
  })

  test('too many unpaid requests are HTTP 429 before anything is sold', async () => {
    const mcp = await startForTest({ blocked: 30 })
    const { status, json, headers } = await mcp[era](call('good'))
    expect([status, headers['retry-after'], json.error.code]).toEqual([429, '30', 429])
    expect(mcp.sent).toEqual([])
    // Lists and junk count like any other unpaid request.
    const list = await mcp[era]({ jsonrpc: '2.0', id: 1, method: 'tools/list' } as never)
    const junk = await mcp.ask({ body: '{' })
    expect([list.status, junk.status]).toEqual([429, 429])
  })

  test('a paid call passes while unpaid requests are stopped', async () => {
    const mcp = await startForTest({ blocked: 30, blocks: 'unpaid' })
    expect((await mcp[era](call('good', PAID))).json.result.structuredContent.valid).toBe(true)
    expect((await mcp[era](call('good'))).status).toBe(429)
  })

  test('two payments in headers are a malformed one', async () => {
    const mcp = await startForTest()
    const { json } = await mcp[era](call('good'), { 'payment-signature': ['YQ==', 'YQ=='] })
    expect(json.result._meta['format-checker/error'].code).toBe('payment_malformed')
    expect(json.result.structuredContent.accepts).toHaveLength(1)
    expect(mcp.sent).toEqual([])
    expect(mcp.counted).toEqual(['hit payment'])
  })

  test.each([
    [{ 'format-checker/channels': true }, 2],
    [{ 'format-checker/channels': 'true' }, 1],
    [undefined, 1],
  ])('the terms of channels are shown to a client that asks for them: %j', async (meta, count) => {
    const mcp = await startForTest(
      always((call) => {
        if (call.kind !== 'value') throw new Error('unexpected')
        const quote = termsOf('https://fc.example', call.items[0].skill)
        return { kind: 'unpaid', code: 'payment_required', quote: { ...quote, ofAllSchemes: twice(quote) } }
      }),
    )
    const { json } = await mcp[era](call('good', meta))
    expect(json.result.structuredContent.accepts).toHaveLength(count)
  })

  test('a list of tools is no paid call because a payment comes with it', async () => {
    const mcp = await startForTest({ blocked: 30, blocks: 'unpaid' })
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const { status } = await mcp.ask({ body, headers: { 'PAYMENT-SIGNATURE': 'e30=' } })
    expect(status).toBe(429)
  })

  test.each<[string, unknown, string]>([
    ['no value', {}, 'value_missing'],
    ['no arguments', undefined, 'value_missing'],
    ['a number', { value: 1 }, 'value_not_string'],
    ['a long value', { value: 'x'.repeat(513) }, 'value_too_long'],
    ['half a character', { value: '\ud800' }, 'value_not_unicode'],
  ])('%s costs nothing', async (_, args, code) => {
    const mcp = await startForTest()
    const params = { name: 'validate_iban', arguments: args, _meta: PAID }
    const { status, json } = await mcp[era]({ jsonrpc: '2.0', id: 1, method: 'tools/call', params } as never)
    expect(status).toBe(200)
    expect(json.result).toMatchObject({ isError: true, _meta: { 'format-checker/error': { code } } })
    expect(json.result.content[0].text).toMatch(new RegExp(`^${code}: `))
    expect(json.result).not.toHaveProperty('structuredContent')
    expect(mcp.sent).toEqual([])
    expect(mcp.counted).toEqual(['hit payment'])
  })

  test('512 characters outside the BMP are one value', async () => {
    const mcp = await startForTest()
    const { json } = await mcp[era](call('\u{10000}'.repeat(512), PAID))
    expect(json.result.isError).toBeUndefined()
  })

  test('a defect is an error text and one log line without a word of the call', async () => {
    const mcp = await startForTest({
      sell: (call) => Promise.reject(new Error(call.kind === 'value' ? call.items[0].value : '')),
    })
    const { json, text } = await mcp[era](call('canary-0451', PAID))
    expect(json.result._meta['format-checker/error'].code).toBe('internal_error')
    expect(mcp.logged).toHaveLength(1)
    expect(JSON.stringify(mcp.logged) + text).not.toContain('canary')
  })

  test('the sale counts as delivered once the answer has left', async () => {
    const mcp = await startForTest()
    await mcp[era](call('good'))
    expect(mcp.delivered()).toBe(0)
    await mcp[era](call('good', PAID))
    await expect.poll(() => mcp.delivered()).toBe(1)
  })
})
