import { AgentCard } from '@a2a-js/sdk'
import type { PaymentPayload } from '@x402/core/types'
import { afterEach, expect, test } from 'vitest'
import { stubFetch, unstubFetch } from '../../../../test/support/stub-fetch.ts'
import { openA2aClient } from '../../src/buyer/a2a-client.ts'
import { createBuyer } from '../../src/buyer/buyer.ts'
import type { Reply } from '../../src/buyer/reply.ts'

const cardNaming = (url: string) =>
  AgentCard.toJSON(
    AgentCard.fromJSON({
      name: 'x',
      supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    }),
  )

/** Asks for the terms of a check at a service whose card names that address; returns what was called. */
async function callsOf(service: string, named: string): Promise<string[]> {
  const called: string[] = []
  stubFetch(async (input: string | URL | Request) => {
    const url = String(input instanceof Request ? input.url : input)
    called.push(url)
    return url.endsWith('agent-card.json')
      ? Response.json(cardNaming(named))
      : Response.json({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'internal_error: x' } })
  })
  await createBuyer({ url: service, type: 'pl-pesel', surface: 'a2a', maxAmount: 1_000n }).terms(
    '44051401359',
  )
  return called.filter((url) => !url.endsWith('agent-card.json'))
}

afterEach(() => unstubFetch())

test.each([
  ['https://checks.example/', 'https://checks.example/a2a'],
  ['https://checks.example/', 'https://agent.example/a2a'],
  ['http://127.0.0.1:4021/', 'http://127.0.0.1:4021/a2a'],
  ['http://127.0.0.1:4021/', 'https://checks.example/a2a'],
])('a value for %s goes to %s, which its card names', async (service, named) => {
  expect(await callsOf(service, named)).toEqual([named])
})

test.each([
  'http://checks.example/a2a',
  'http://127.0.0.1:4021/a2a',
  'http://169.254.169.254/latest/',
])('a value that was given to https is not sent without TLS, whatever the card names: %s', async (named) => {
  expect(await callsOf('https://checks.example/', named)).toEqual([])
})

const RECEIPT = {
  success: true,
  transaction: `0x${'1'.repeat(64)}`,
  network: 'eip155:8453',
  payer: `0x${'2'.repeat(40)}`,
}
const VERDICT = { type: 'iban', valid: false, normalized: null, reason: 'said', details: { code: 'empty' } }

interface Answer {
  readonly state: string
  readonly metadata?: object
  readonly isBought?: boolean
  readonly parts?: readonly object[]
}

/** A client of a service that answers every message with this task; `sent` has the messages. */
async function clientOf(task: Answer) {
  const { state, metadata = {}, isBought = false } = task
  const { parts = isBought ? [{ data: VERDICT }] : [] } = task
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at member by member
  const sent: any[] = []
  stubFetch(async (input: string | URL | Request, init?: RequestInit) => {
    if (String(input).endsWith('agent-card.json'))
      return Response.json(cardNaming('http://127.0.0.1:4021/a2a'))
    const { id, params } = JSON.parse(String(init?.body))
    sent.push(params.message)
    const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'said' }], metadata }
    const artifacts = parts.length > 0 ? [{ artifactId: 'a', parts }] : []
    const result = { task: { id: 't', contextId: 'c', status: { state, message }, artifacts } }
    return Response.json({ jsonrpc: '2.0', id, result }, { headers: { 'Retry-After': '7' } })
  })
  return { client: await openA2aClient('http://127.0.0.1:4021/', 'iban'), sent }
}

/** What the client makes of a task that is the answer to a payment. */
const replyTo = async (task: Answer) => (await clientOf(task)).client.prepaid('x', {} as never)()

test('a task that is still worked on has a payment in doubt, and is asked for again', async () => {
  expect(await replyTo({ state: 'TASK_STATE_WORKING' })).toMatchObject({
    kind: 'retry',
    status: 503,
    code: 'payment_in_doubt',
  })
})

test.each([
  [{ 'format-checker/error': { code: 'task_expired' }, 'x402.payment.error': 'ours' }, 'task_expired'],
  [{ 'x402.payment.error': 'insufficient_funds' }, 'insufficient_funds'],
  [{}, 'unknown'],
])('a task that failed is refused by the name of its error: %j', async (metadata, code) => {
  const reply = await replyTo({ state: 'TASK_STATE_FAILED', metadata })
  expect(reply).toEqual({ kind: 'refused', status: 402, code, detail: 'said' })
})

test('a task in a state that no answer has leaves the payment in doubt', async () => {
  expect(await replyTo({ state: 'TASK_STATE_REJECTED' })).toMatchObject({ kind: 'retry', status: 200 })
})

test.each([
  [true, { 'x402.payment.replayed': true }],
  [false, {}],
])('a verdict was bought before: %s, as its task says', async (replayed, more) => {
  const metadata = { 'x402.payment.receipts': [RECEIPT], ...more }
  const reply = await replyTo({ state: 'TASK_STATE_COMPLETED', metadata, isBought: true })
  expect(reply).toMatchObject({ kind: 'sold', replayed, settlement: { transaction: RECEIPT.transaction } })
})

test.each<[string, Omit<Answer, 'state'>]>([
  ['without a receipt', { isBought: true }],
  ['whose receipts are no list', { metadata: { 'x402.payment.receipts': RECEIPT }, isBought: true }],
  ['whose receipt is a text', { metadata: { 'x402.payment.receipts': ['x'] }, isBought: true }],
  ['without a verdict', { metadata: { 'x402.payment.receipts': [RECEIPT] } }],
  ['with a text', { metadata: { 'x402.payment.receipts': [RECEIPT] }, parts: [{ text: 'valid' }] }],
])('a completed task %s leaves the payment in doubt', async (_what, more) => {
  expect(await replyTo({ state: 'TASK_STATE_COMPLETED', ...more })).toEqual({
    ...{ kind: 'retry', charged: 'unknown', status: 200, code: 'unknown', detail: 'said' },
    retryAfterSeconds: 7,
  })
})

const TERMS = { 'x402.payment.required': { x402Version: 2, accepts: [] } }

test('a task that asks for payment after one has it in doubt, unless it says more', async () => {
  const reply = { kind: 'retry', status: 503, detail: 'said', retryAfterSeconds: 7 }
  expect(await replyTo({ state: 'TASK_STATE_INPUT_REQUIRED', metadata: TERMS })).toEqual({
    ...{ ...reply, charged: 'unknown', code: 'unknown' },
  })
  const metadata = { ...TERMS, 'format-checker/error': { code: 'sales_paused' } }
  expect(await replyTo({ state: 'TASK_STATE_INPUT_REQUIRED', metadata })).toEqual({
    ...{ ...reply, charged: 'no', code: 'sales_paused' },
  })
})

test('a task that asks for payment is paid for by its id, without the value', async () => {
  const { client, sent } = await clientOf({ state: 'TASK_STATE_INPUT_REQUIRED', metadata: TERMS })
  const { pay, clock, ...reply } = (await client.ask('x')) as Extract<Reply, { kind: 'unpaid' }>
  const offer = { status: 402, code: 'payment_required', detail: 'said' }
  expect(clock).toBeDefined()
  expect(reply).toEqual({ kind: 'unpaid', ...offer, required: TERMS['x402.payment.required'] })
  await pay?.({ x402Version: 2 } as PaymentPayload)()
  expect(sent).toMatchObject([
    { parts: [{ data: { skill: 'iban', input: { value: 'x' } } }] },
    {
      ...{ taskId: 't', contextId: 'c', parts: [{ text: expect.any(String) }] },
      metadata: {
        'x402.payment.status': 'payment-submitted',
        'x402.payment.payload': { x402Version: 2 },
      },
    },
  ])
  expect(JSON.stringify(sent[1])).not.toContain('input')
})

test('a task that asks for payment without terms is no offer', async () => {
  const { client } = await clientOf({ state: 'TASK_STATE_INPUT_REQUIRED' })
  expect(await client.ask('x')).toMatchObject({ kind: 'retry', status: 200, code: 'unknown' })
})

test('a connection that is lost is not answered by the reply before it', async () => {
  const { client } = await clientOf({ state: 'TASK_STATE_FAILED' })
  await client.ask('x')
  stubFetch(() => Promise.reject(new TypeError('reset')))
  await expect(client.ask('x')).rejects.toThrow()
})

test('a service that was not found is looked for again by the next call', async () => {
  const options = { url: 'http://127.0.0.1:4021/', type: 'iban', surface: 'a2a', maxAmount: 1_000n } as const
  const buyer = createBuyer(options)
  stubFetch(() => Promise.reject(new TypeError('reset')))
  expect(await buyer.terms('x')).toEqual({ kind: 'unreachable', url: options.url })
  await clientOf({ state: 'TASK_STATE_FAILED', metadata: { 'x402.payment.error': 'said_so' } })
  expect(await buyer.terms('x')).toMatchObject({ kind: 'refused', code: 'said_so' })
})

test('an answer without a body says nothing about the payment', async () => {
  const { client } = await clientOf({ state: 'TASK_STATE_FAILED' })
  stubFetch(async () => new Response(null, { status: 204 }))
  expect(await client.ask('x')).toMatchObject({ kind: 'retry', charged: 'unknown', status: 204 })
})
