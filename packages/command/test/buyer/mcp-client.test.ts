import type { PaymentPayload } from '@x402/core/types'
import { afterEach, expect, test } from 'vitest'
import { realRegistry } from '../../../../test/support/registry.ts'
import { stubFetch, unstubFetch } from '../../../../test/support/stub-fetch.ts'
import { openMcpClient, toolOf } from '../../src/buyer/mcp-client.ts'

afterEach(() => void unstubFetch())

test('calls the tools by their published names', () => {
  for (const { id, operationId } of realRegistry().all) expect(toolOf(id)).toBe(operationId)
})

const VERDICT = { type: 'iban', valid: true, normalized: 'x', reason: 'said', details: { code: 'ok' } }
const RECEIPT = { success: true, transaction: '0x1', network: 'eip155:8453' }
const PAID = { 'x402/payment-response': RECEIPT }
const OFFER = { x402Version: 2, accepts: [] }
const errorOf = (code: string) => ({ 'format-checker/error': { code } })
const said = (text: string) => [{ type: 'text', text }]
const sold = { kind: 'sold', result: VERDICT, settlement: RECEIPT, replayed: false }
const retry = { kind: 'retry', charged: 'unknown', code: 'unknown', retryAfterSeconds: undefined }

/** What the client makes of an answer. */
async function replyTo(answer: object, status = 200, headers = {}) {
  stubFetch(async () => Response.json(answer, { status, headers }))
  return openMcpClient('https://checks.example/', 'iban').ask('x')
}

test.each<[string, object, object]>([
  ['a verdict with a receipt', { structuredContent: VERDICT, _meta: PAID }, sold],
  [
    'a verdict that was sold before',
    { structuredContent: VERDICT, _meta: { ...PAID, 'format-checker/replayed': true } },
    { ...sold, replayed: true },
  ],
  [
    'terms with the charge of an earlier call',
    {
      isError: true,
      structuredContent: { ...OFFER, error: 'first: In words.' },
      _meta: { ...PAID, ...errorOf('second') },
    },
    {
      kind: 'unpaid',
      status: 402,
      code: 'second',
      detail: 'In words.',
      required: { ...OFFER, error: 'first: In words.' },
    },
  ],
  [
    'terms whose code is in their text alone',
    { isError: true, structuredContent: { ...OFFER, error: 'first: In\nwords.' } },
    {
      kind: 'unpaid',
      status: 402,
      code: 'first',
      detail: 'In\nwords.',
      required: { ...OFFER, error: 'first: In\nwords.' },
    },
  ],
  [
    'an error of a tool',
    { isError: true, content: said('value_too_long: In words.') },
    { kind: 'refused', status: 200, code: 'value_too_long', detail: 'In words.' },
  ],
  [
    'an error that says how long to wait',
    {
      isError: true,
      content: said('payment_in_doubt: In words.'),
      _meta: { 'x402/error': { retryAfterSeconds: 7 } },
    },
    { ...retry, status: 200, code: 'payment_in_doubt', detail: 'In words.', retryAfterSeconds: 7 },
  ],
  ['a verdict without a receipt', { structuredContent: VERDICT }, { ...retry, status: 200, detail: '' }],
  ['no content', { content: 'x' }, { ...retry, status: 200, detail: '' }],
  ...['In words.', 'Two words: x', '_x: y', 'x:y'].map((text): [string, object, object] => [
    `a text without a code: ${text}`,
    { isError: true, content: said(text) },
    { ...retry, status: 200, detail: text },
  ]),
])('reads %s', async (_what, result, expected) => {
  expect(await replyTo({ jsonrpc: '2.0', id: 1, result })).toEqual({
    ...expected,
    ...('required' in expected && { clock: expect.anything() }),
  })
})

test.each<[string, number, object, object]>([
  [
    'an error of the protocol',
    200,
    { error: { code: -32602, message: 'unknown_field: In words.' } },
    { kind: 'refused', status: 200, code: 'unknown_field', detail: 'In words.' },
  ],
  [
    'a limit',
    429,
    { error: { code: 429, message: 'too_many_requests: Wait.' } },
    {
      ...{ kind: 'retry', charged: 'no', status: 429 },
      ...{ code: 'too_many_requests', detail: 'Wait.', retryAfterSeconds: 7 },
    },
  ],
  ['a failure in front of the service', 502, {}, { ...retry, status: 502, detail: '', retryAfterSeconds: 7 }],
])('reads %s', async (_what, status, answer, expected) => {
  expect(await replyTo({ jsonrpc: '2.0', id: 1, ...answer }, status, { 'Retry-After': '7' })).toEqual(
    expected,
  )
})

test('a payment is sent in the metadata of the call, and none without one', async () => {
  const sent: unknown[] = []
  stubFetch(async (url: URL, { body }: { body: string }) => {
    sent.push([String(url), JSON.parse(body).params])
    return Response.json({})
  })
  const { ask, prepaid } = openMcpClient('https://checks.example/', 'eu-vat')
  await ask('x')
  await prepaid('x', { x402Version: 2 } as PaymentPayload)()
  const params = { name: 'validate_eu_vat', arguments: { value: 'x' } }
  expect(sent).toEqual([
    ['https://checks.example/mcp', params],
    ['https://checks.example/mcp', { ...params, _meta: { 'x402/payment': { x402Version: 2 } } }],
  ])
})
