import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HEAD_BYTES, MOST_OF_A_402, MOST_OF_TERMS } from '../../scripts/response-heads-doc.ts'
import type { ChannelReader } from '../../src/payments/channels/chain/channel-reader.ts'
import { freshAccount } from '../support/chain-payments.ts'
import { startPublicService } from '../support/public-service.ts'
import { firstExample, realRegistry } from '../support/registry.ts'
import { rawRequest } from './rest/raw-request.ts'

/** A quote asks no chain. */
const noReader = {} as ChannelReader

let service: Awaited<ReturnType<typeof startPublicService>>
/** The largest head of each kind. */
const sizes: Record<string, number> = {}
/** Into the buffers of proxies, and so that a new header fits as well. */
function expectToFit(kind: string, { bytes, received }: Awaited<ReturnType<typeof headOf>>): void {
  sizes[kind] = Math.max(sizes[kind] ?? 0, bytes)
  expect(bytes).toBeLessThanOrEqual(MOST_OF_A_402)
  for (const name of ['payment-required', 'payment-response']) {
    const line = `${name}: ${received[name]}\r\n`
    expect(line.length).toBeLessThanOrEqual(MOST_OF_TERMS)
  }
}

beforeAll(async () => {
  // With channels on: the second offer is the largest thing a 402 can carry besides the first.
  service = await startPublicService(undefined, { authorizer: freshAccount(), reader: noReader })
})
afterAll(async () => {
  await service.stop()
  console.info('bytes of the response head, with a host of 60 characters:', sizes)
})

/** A connection that is kept has two lines in place of `Connection: close`. */
const KEPT_BYTES =
  'Connection: keep-alive\r\nKeep-Alive: timeout=75\r\n'.length - 'Connection: close\r\n'.length

/** Status and size of the head that answers a POST, as if the connection were kept. */
async function headOf(
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
  type = 'application/json',
) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = `POST ${path} HTTP/1.1\r\nHost: ${service.host}\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${lines.join('')}\r\n`
  const { status, text, headers: received } = await rawRequest(service.port, request + body)
  return { status, bytes: text.indexOf('\r\n\r\n') + 4 + KEPT_BYTES, received }
}

const order = (skill: string, value: string, metadata = {}): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: {
      message: {
        ...{ messageId: 'm', role: 'ROLE_USER', metadata },
        parts: [{ data: { skill, input: { value } } }],
      },
    },
  })

it('the host has 60 characters', () => expect(service.host).toHaveLength(60))

describe.each(
  realRegistry().all.map((skill) => [skill.id, skill] as const),
)('the head for %s', (id, skill) => {
  const { input } = firstExample(skill)
  const wires = [
    ['REST', `/api/validate/${id}`, JSON.stringify(input)],
    ['A2A', '/a2a', order(id, String(input.value))],
  ] as const

  it.each(
    wires,
  )('of a 402 that quotes fits into the buffers of proxies over %s', async (wire, path, body) => {
    const head = await headOf(path, body)
    const { status, received } = head
    expectToFit(`${wire} 402, quoted`, head)
    expect(status).toBe(402)
    expect(received['strict-transport-security']).toBeDefined()
    expect(received['payment-required']).toBeDefined()
  })

  it.each([
    ['REST', `/api/channel/validate/${id}`, JSON.stringify(input)],
    ['A2A', '/a2a', order(id, String(input.value), { 'format-checker/channels': true })],
  ] as const)('of a 402 with the offer of channels fits as well over %s', async (wire, path, body) => {
    const head = await headOf(path, body)
    const { status, received } = head
    expectToFit(`${wire} 402, quoted with channels`, head)
    expect(status).toBe(402)
    expect(received['payment-required']).toBeDefined()
  })

  it.each(wires)('of a 402 that refuses fits as well over %s', async (wire, path, body) => {
    const head = await headOf(path, body, { 'PAYMENT-SIGNATURE': 'bm8=' })
    expectToFit(`${wire} 402, refused`, head)
    expect(head.status).toBe(402)
  })

  it.each(
    wires,
  )('of a paid answer fits, with its receipt, and so does the replay over %s', async (wire, path, body) => {
    const headers = { 'PAYMENT-SIGNATURE': await service.pay() }
    for (const name of ['paid', 'replayed']) {
      const head = await headOf(path, body, headers)
      const { status, received } = head
      expectToFit(`${wire} 200, ${name}`, head)
      expect(status).toBe(200)
      expect(received['payment-response']).toBeDefined()
    }
  })
})

it.each(
  realRegistry().all.map(({ id }) => id),
)('the head of a 402 that asks about a long value of a text fits as well: %s', async (id) => {
  for (const value of ['9'.repeat(512), 'ü'.repeat(512), '9'.repeat(63), `a@${'b'.repeat(249)}.com`]) {
    for (const metadata of [{}, { 'format-checker/channels': true }]) {
      const parts = [{ text: `Check ${id} "${value}"` }]
      const message = { messageId: 'm', role: 'ROLE_USER', metadata, parts }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } })
      const head = await headOf('/a2a', body)
      expectToFit(`A2A ${head.status}, for a text`, head)
    }
  }
})

it.each([
  ...realRegistry().all.map(({ id }) => `${id}/batch`),
  'batch',
])('the head of a 402 that quotes a list fits as well: %s', async (path) => {
  const items = Array.from({ length: 1000 }, () => ({ type: 'iban', value: 'x' }))
  const body = path === 'batch' ? { items } : { values: items.map(({ value }) => value) }
  const quoted = await headOf(`/api/validate/${path}`, JSON.stringify(body))
  expectToFit('REST 402, quoted for a list', quoted)
  expect(quoted.status).toBe(402)
  const typed = await headOf(`/api/validate/${path}`, JSON.stringify(body), {}, 'text/plain')
  expectToFit('REST 415, with the terms', typed)
  expect(typed.status).toBe(415)
  expect(typed.received['payment-required']).toBeDefined()
})

it('the generated table says what was measured', () =>
  expect(HEAD_BYTES).toEqual({
    'REST check': sizes['REST 402, quoted'],
    'REST list': sizes['REST 402, quoted for a list'],
    'A2A check': sizes['A2A 402, quoted'],
  }))
