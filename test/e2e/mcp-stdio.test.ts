/** `format-checker mcp` under the SDK's client, as a host without a wallet runs it. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CLI, outcomeOf } from '../support/command.ts'
import { validValue } from '../support/identifiers.ts'
import { LACKS } from '../support/platform.ts'
import { realRegistry } from '../support/registry.ts'
import { startTestService, type TestService } from '../support/sandbox-service.ts'
import { type ScratchDir, scratchDir } from '../support/service-process.ts'
import { filesBelow } from '../support/traces.ts'

const CANARY = 'CANARY-4f1d-8e20'
const PRICE = 1_000n

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

let scratch: ScratchDir
const clients: Client[] = []
let said: string
beforeEach(() => {
  scratch = scratchDir()
  said = ''
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  scratch.remove()
})

/** A host that starts the server with its user's settings. */
async function connect(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', '--url', service.url, ...args],
    env: { HOME: scratch.path, BUYER_PRIVATE_KEY: service.sandbox.buyer.privateKey, ...env },
    stderr: 'pipe',
  })
  transport.stderr?.on('data', (chunk) => {
    said += String(chunk)
  })
  const client = new Client({ name: 'host', version: '1' })
  await client.connect(transport)
  clients.push(client)
  const call = async (value: unknown, name = 'validate_iban') => {
    const { content, ...result } = await client.callTool({ name, arguments: { value } })
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    return { ...result, text }
  }
  const callList = (items: unknown) =>
    client.callTool({ name: 'validate_batch', arguments: { items } }).then(({ content, ...result }) => ({
      ...result,
      text: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
    }))
  return { client, call, callList }
}

test('tells the host what it spends at most', async () => {
  const limits = async (args?: readonly string[]) =>
    /at most (.+) for a list and (.+) a day/
      .exec((await connect(args)).client.getInstructions() ?? '')
      ?.slice(1)
  expect(await limits()).toEqual(['0.1 USDC', '1 USDC'])
  expect(await limits(['--max-spend', '0.25'])).toEqual(['0.1 USDC', '0.25 USDC'])
})

test('a call is answered that was paid for when the host closed its end', async () => {
  const [initialize, call] = [
    {
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'host', version: '1' } },
    },
    { method: 'tools/call', params: { name: 'validate_iban', arguments: { value: validValue('iban', 7) } } },
  ].map((message, id) => JSON.stringify({ jsonrpc: '2.0', id, ...message }))
  const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const { code, stdout } = await outcomeOf([CLI, 'mcp', '--url', service.url], {
    input: [initialize, initialized, call, ''].join('\n'),
    env: { HOME: scratch.path, BUYER_PRIVATE_KEY: service.sandbox.buyer.privateKey },
  })
  expect(code).toBe(0)
  expect(stdout.map((line) => JSON.parse(line)).find(({ id }) => id === 1)).toMatchObject({
    result: { structuredContent: { result: { valid: true }, payment: { charged: true } } },
  })
})

test('lists the seven tools of the service, with what they cost', async () => {
  const { client } = await connect()
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    ...realRegistry().all.map(({ operationId }) => operationId),
    'validate_batch',
  ])
  for (const { description, annotations } of tools) {
    expect(description).toContain('$0.001')
    expect(annotations?.readOnlyHint).toBe(false)
  }
})

test.each(CHECK_TYPES)('%s: pays its price once, and shows verdict, cost and receipt', async (type) => {
  const { client, call } = await connect()
  await client.listTools()
  const before = await service.books()
  const value = validValue(type, 11)
  const { structuredContent, text, isError } = await call(value, `validate_${type.replaceAll('-', '_')}`)
  expect(isError).toBeFalsy()
  expect(structuredContent).toEqual({
    result: JSON.parse(JSON.stringify(CHECKS[type](value))),
    payment: {
      amount: '0.001 USDC',
      charged: true,
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      spentToday: '0.001 USDC',
      maxPerDay: '1 USDC',
    },
  })
  expect(text).toContain('Paid 0.001 USDC in transaction 0x')
  expect((await service.books()).payee).toBe(before.payee + PRICE)
})

describe('a list', () => {
  const ITEMS = CHECK_TYPES.map((type) => ({ type, value: validValue(type, 12) }))

  test('is bought with one payment, and its results are those of single calls', async () => {
    const { client, callList } = await connect()
    await client.listTools()
    const before = await service.books()
    const { structuredContent, isError } = await callList(ITEMS)
    expect(isError).toBeFalsy()
    expect(structuredContent).toMatchObject({
      result: {
        ...{ count: ITEMS.length, valid: ITEMS.length, invalid: 0 },
        results: ITEMS.map(({ type, value }) => JSON.parse(JSON.stringify(CHECKS[type](value)))),
      },
      payment: { amount: '0.006 USDC', charged: true, spentToday: '0.006 USDC' },
    })
    expect((await service.books()).payee).toBe(before.payee + PRICE * BigInt(ITEMS.length))
  })

  test.each([
    ['no list', undefined, 'list_missing'],
    ['an empty list', [], 'list_empty'],
    ['an unknown type', [{ type: 'isbn', value: 'x' }], 'item_type_unknown at items[0]'],
    ['an empty value', [ITEMS[0], { type: 'iban', value: ' ' }], 'empty at items[1]'],
    ['a value that is too long', [{ type: 'iban', value: CANARY.repeat(40) }], 'value_too_long at items[0]'],
    ['more than its user allows', Array.from({ length: 101 }, () => ITEMS[0]), '--max-list'],
  ])('with %s is refused before anything is signed', async (_what, items, words) => {
    const before = await service.books()
    const { callList } = await connect()
    const { isError, text } = await callList(items)
    expect([isError, text]).toEqual([true, expect.stringContaining(words)])
    expect(text).toContain('Nothing was signed.')
    expect(text).not.toContain(CANARY)
    expect(await service.books()).toEqual(before)
  })

  test('counts against the day before it is signed', async () => {
    const { callList, call } = await connect(['--max-spend', '0.006'])
    expect((await callList(ITEMS)).isError).toBeFalsy()
    expect(await callList(ITEMS.slice(1))).toMatchObject({ isError: true })
    expect(await call('DE1')).toMatchObject({ isError: true })
  })
})

describe('the limits', () => {
  test('of a day: nothing is signed beyond it, also by another host', async () => {
    const before = await service.books()
    const { call } = await connect(['--max-spend', '0.002'])
    for (const value of ['DE1', 'DE2']) expect((await call(value)).isError).toBeFalsy()
    const refused = await call('DE3')
    expect([refused.isError, refused.text]).toEqual([
      true,
      expect.stringMatching(/limit of 0\.002 USDC per day/),
    ])
    const other = await connect(['--max-spend', '0.002'])
    expect((await other.call('DE3')).isError).toBe(true)
    expect((await service.books()).payee).toBe(before.payee + 2n * PRICE)
  })

  test('of a call: terms above it are not signed, and the day is not charged', async () => {
    const { call } = await connect(['--max-price', '0.0009', '--max-spend', '0.0009'])
    for (const value of ['DE1', 'DE2']) {
      expect(await call(value)).toMatchObject({ isError: true, text: expect.stringContaining('--max-price') })
    }
  })

  test('calls at once share the day', async () => {
    const before = await service.books()
    const { call } = await connect(['--max-spend', '0.003'])
    const results = await Promise.all(Array.from({ length: 6 }, (_, at) => call(`PL${at}`)))
    expect(results.filter(({ isError }) => isError !== true)).toHaveLength(3)
    expect((await service.books()).payee).toBe(before.payee + 3n * PRICE)
  })
})

describe('nothing is paid', () => {
  test.each([
    ['no value', undefined],
    ['an empty value', ''],
    ['a number', 7],
    ['a value too long', 'x'.repeat(513)],
  ])('for %s', async (_what, value) => {
    const before = await service.books()
    const { call } = await connect()
    expect(await call(value)).toMatchObject({
      isError: true,
      text: expect.stringContaining('Nothing was signed'),
    })
    expect(await service.books()).toEqual(before)
  })

  test('without money, and what was signed counts, since only the service says that it was not charged', async () => {
    const { call } = await connect(['--max-spend', '0.001'], { BUYER_PRIVATE_KEY: generatePrivateKey() })
    expect(await call('DE1')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/insufficient_funds.*counts towards the limit of the day/s),
    })
    expect(await call('DE2')).toMatchObject({
      isError: true,
      text: expect.stringContaining('0.001 USDC signed for today'),
    })
  })

  test('without a service, and its address is named', async () => {
    const { call } = await connect(['--url', 'http://127.0.0.1:1'])
    expect(await call('DE1')).toMatchObject({
      isError: true,
      text: expect.stringContaining('http://127.0.0.1:1'),
    })
  })

  test('for an unknown tool', async () => {
    const { client } = await connect()
    await expect(client.callTool({ name: CANARY, arguments: {} })).rejects.toThrow()
  })
})

describe('the key', () => {
  test('comes from a file of its owner', async () => {
    const key = generatePrivateKey()
    await service.sandbox.fund(privateKeyToAccount(key).address, PRICE)
    const file = join(scratch.path, 'key')
    writeFileSync(file, `${key}\n`, { mode: 0o600 })
    const { call } = await connect([], { BUYER_PRIVATE_KEY: '', BUYER_PRIVATE_KEY_FILE: file })
    expect((await call('DE1')).isError).toBeFalsy()
    expect(await service.balance(privateKeyToAccount(key).address)).toBe(0n)
  })

  test('is read for each call: one that takes its place counts at once', async () => {
    const file = join(scratch.path, 'key')
    writeFileSync(file, generatePrivateKey(), { mode: 0o600 })
    const { call } = await connect([], { BUYER_PRIVATE_KEY: '', BUYER_PRIVATE_KEY_FILE: file })
    expect((await call('DE1')).text).toContain('payment_insufficient_funds')
    writeFileSync(file, service.sandbox.buyer.privateKey)
    expect((await call('DE1')).isError).toBeFalsy()
  })

  test.skipIf(LACKS.modes).each([
    ['a file others can read', generatePrivateKey(), 0o644, 'chmod 600'],
    ['a file without a key', CANARY, 0o600, '64 hexadecimal digits'],
  ])('is refused in %s', async (_what, text, mode, words) => {
    const file = join(scratch.path, 'key')
    writeFileSync(file, text)
    chmodSync(file, mode)
    const { call } = await connect([], { BUYER_PRIVATE_KEY: '', BUYER_PRIVATE_KEY_FILE: file })
    const result = await call('DE1')
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining(words) })
    expect(result.text).not.toContain(text)
  })
})

test('without a key the recorded examples are free, and any other value says what it costs', async () => {
  const { call } = await connect(['--url', 'https://checks.invalid'], { BUYER_PRIVATE_KEY: '' })
  const [example] = realRegistry().get('iban')?.examples ?? []
  const recorded = await call(example?.input.value)
  expect(recorded.structuredContent).toEqual({ result: example?.output, payment: { charged: false } })
  expect(recorded.text).toContain('A recorded example, not charged.')
  const other = await call('GB33BUKB20201555555555')
  expect(other.isError).toBe(true)
  expect(other.text).toMatch(/^no key to pay with: .* A check costs \$0\.001\. Recorded examples are free: "/)
})

test('no value and no key is logged or kept', async () => {
  const { call } = await connect()
  await call(CANARY)
  const kept = filesBelow(scratch.path).map(([, bytes]) => bytes.toString('latin1'))
  expect(kept.length).toBeGreaterThan(0)
  for (const text of [said, ...kept]) {
    expect(text).not.toContain(CANARY)
    expect(text).not.toContain(service.sandbox.buyer.privateKey.slice(2))
  }
})
