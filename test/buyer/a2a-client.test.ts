import { AgentCard } from '@a2a-js/sdk'
import { afterEach, expect, test, vi } from 'vitest'
import { openA2aClient } from '../../src/buyer/a2a-client.ts'
import { createBuyer } from '../../src/buyer/buyer.ts'

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
  vi.stubGlobal('fetch', async (input: string | URL | Request) => {
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

afterEach(() => vi.unstubAllGlobals())

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

/** What the client makes of a task that is the answer to a payment. */
async function replyTo(task: { state: string; metadata?: object; isBought?: boolean }) {
  const { state, metadata = {}, isBought = false } = task
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    if (String(input).endsWith('agent-card.json'))
      return Response.json(cardNaming('http://127.0.0.1:4021/a2a'))
    const { id } = JSON.parse(String(init?.body)) as { id: unknown }
    const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'said' }], metadata }
    const artifacts = isBought ? [{ artifactId: 'a', parts: [{ data: VERDICT }] }] : []
    const result = { task: { id: 't', contextId: 'c', status: { state, message }, artifacts } }
    return Response.json({ jsonrpc: '2.0', id, result })
  })
  const client = await openA2aClient('http://127.0.0.1:4021/', 'iban')
  return client.prepaid('x', {} as never)()
}

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
