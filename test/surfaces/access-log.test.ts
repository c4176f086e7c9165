/** The operator's line of each call says what was asked for and what became of it, whatever surface it came over. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestService, type TestService } from '../support/sandbox-service.ts'

type Input = { readonly value?: string }
type Ask = (input: Input, payment?: string) => Promise<Response>

const IBAN = { value: 'DE89370400440532013000' }

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  fetch(service.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
const paying = (payment?: string) => (payment === undefined ? {} : { 'PAYMENT-SIGNATURE': payment })

const SURFACES: readonly (readonly [string, string, Ask])[] = [
  ['rest', '/api/validate/iban', (input, payment) => post('/api/validate/iban', input, paying(payment))],
  [
    'mcp',
    '/mcp',
    (input, payment) => {
      const _meta = payment === undefined ? {} : { 'x402/payment': payment }
      return post('/mcp', rpc('tools/call', { name: 'validate_iban', arguments: input, _meta }))
    },
  ],
  [
    'a2a',
    '/a2a',
    (input, payment) => {
      const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ data: { skill: 'iban', input } }] }
      return post('/a2a', rpc('SendMessage', { message }), { 'A2A-Version': '1.0', ...paying(payment) })
    },
  ],
]

/** The line of the access log about a call. */
async function lineOf(call: () => Promise<Response>) {
  const before = service.logged.length
  await (await call()).text()
  await expect.poll(() => service.logged.length).toBe(before + 1)
  return JSON.parse(service.logged[before]!)
}

it.each(SURFACES)('over %s', async (surface, route, ask) => {
  const payment = await service.pay()
  const calls: readonly (readonly [string, () => Promise<Response>])[] = [
    ['payment_required', () => ask(IBAN)],
    ['sold', () => ask(IBAN, payment)],
    ['replayed', () => ask(IBAN, payment)],
    ['payment_already_used', () => ask({ value: 'x' }, payment)],
    ['payment_malformed', () => ask(IBAN, 'cHJvb2Y=')],
  ]
  for (const [code, call] of calls)
    expect(await lineOf(call)).toMatchObject({ method: 'POST', surface, route, type: 'iban', code })
  expect(await lineOf(() => ask({}))).toMatchObject({ surface, route, code: 'value_missing' })
})
