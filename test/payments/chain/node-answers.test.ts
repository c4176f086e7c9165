/** What is asked of a node over HTTP, and which of its answers are believed. */
import { encodeEventTopics, type Hex, pad, toHex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { nodeClient } from '../../../src/payments/chain/node-transport.ts'
import { createRpcChainReader } from '../../../src/payments/chain/rpc-chain-reader.ts'
import { TOKEN_ABI } from '../../../src/payments/networks/token-abi.ts'
import { type OddServer, sendJson, startOddServer } from '../../support/odd-server.ts'
import { AMOUNT, logsOf, nonceOf, payerOf, CALLED_TOKEN as TOKEN } from '../../support/settlement-calls.ts'

type Answer = { readonly result: unknown } | { readonly error: object } | number
interface Asked {
  readonly method: string
  readonly params: readonly unknown[]
}

let servers: OddServer[]
let asked: Asked[]
/** By method; a number is a status without an answer. */
let answers: Record<string, Answer | ((asked: Asked) => Answer)>
beforeEach(async () => {
  servers = [await startOddServer(), await startOddServer()]
  asked = []
  answers = {}
  for (const server of servers)
    server.behave((response, request, socket) => {
      const { id, ...question } = JSON.parse(request.body) as Asked & { id: number }
      asked.push({ method: question.method, params: question.params ?? [] })
      const given = answers[question.method] ?? { result: null }
      const answer = typeof given === 'function' ? given(question) : given
      if (typeof answer === 'number') sendJson({}, answer)(response, request, socket)
      else sendJson({ jsonrpc: '2.0', id, ...answer })(response, request, socket)
    })
})
afterEach(() => Promise.all(servers.map((server) => server.stop())))

const urlOf = (index: number) => (servers[index] as OddServer).url
const open = () => createRpcChainReader({ rpcUrl: urlOf(0), token: TOKEN })
const block = (change: object = {}) => ({
  result: { number: '0x64', timestamp: '0x3e8', transactions: [], ...change },
})
const word = (value: number | bigint) => ({ result: toHex(value, { size: 32 }) })
const query = { payer: payerOf(1), nonce: nonceOf(1), payTo: payerOf(99), amount: AMOUNT }
const REVERTED = { error: { code: 3, message: 'execution reverted' } }

describe('a question', () => {
  test('for a block names it, and the newest one otherwise', async () => {
    answers.eth_getBlockByNumber = block()
    const reader = open()
    expect(await reader.head()).toEqual({ number: 100n, timestamp: 1_000 })
    expect(await reader.block(100n)).toEqual({ number: 100n, timestamp: 1_000 })
    expect(asked.map(({ params }) => params[0])).toEqual(['latest', '0x64'])
  })

  test('is sent each time, and alone', async () => {
    answers.eth_getBlockByNumber = block()
    const reader = open()
    await Promise.all([reader.head(), reader.block(1n), reader.block(2n)])
    await reader.head()
    expect(servers[0]?.seen).toHaveLength(4)
  })

  test.each([
    ['a block that is not mined', { number: null }],
    ['a time that is no whole second', { timestamp: `0x${'f'.repeat(16)}` }],
  ])('that is answered with %s is not answered', async (_what, change) => {
    answers.eth_getBlockByNumber = block(change)
    await expect(open().head()).rejects.toThrow(ChainUnavailable)
  })

  test('of an authorization is of the newest block, unless one is named', async () => {
    answers.eth_call = word(1)
    const reader = open()
    expect(await reader.authorizationUsed(payerOf(1), nonceOf(1))).toBe(true)
    answers.eth_call = word(0)
    expect(await reader.authorizationUsed(payerOf(1), nonceOf(1), 7n)).toBe(false)
    expect(asked.map(({ params }) => params[1])).toEqual(['latest', '0x7'])
    answers.eth_call = word(5_000n)
    expect(await reader.balance(payerOf(1))).toBe(5_000n)
  })

  test.each([
    ['0x', false],
    ['0x60', true],
  ])('for code that is answered with %s is answered with %s', async (code, hasCode) => {
    answers.eth_getCode = { result: code }
    expect(await open().hasCode(TOKEN)).toBe(hasCode)
    expect(asked).toEqual([{ method: 'eth_getCode', params: [TOKEN, 'latest'] }])
  })

  test('is asked once more where the node fails', async () => {
    answers.eth_chainId = 500
    await expect(open().chainId()).rejects.toMatchObject({ name: 'ChainUnavailable', fault: 'no_answer' })
    expect(asked).toHaveLength(2)
  })

  test('for the domain of the token is answered with nothing where there is no such token', async () => {
    const reader = open()
    answers.eth_call = word(9)
    expect(await reader.domainSeparator()).toBe(pad('0x9'))
    expect(asked[0]?.params[0]).toEqual({ to: TOKEN, data: '0x3644e515' })
    answers.eth_call = { result: '0x' }
    expect(await reader.domainSeparator()).toBe('0x')
    answers.eth_call = REVERTED
    expect(await reader.domainSeparator()).toBe('0x')
    answers.eth_call = { error: { code: -32005, message: 'limit exceeded' } }
    await expect(reader.domainSeparator()).rejects.toThrow(ChainUnavailable)
  })
})

describe('the trace of an authorization', () => {
  const place = { blockNumber: '0x5', transactionHash: nonceOf(8), logIndex: '0x0' }
  const onWire = (logs: ReturnType<typeof logsOf>) =>
    logs.map((log) => ({ ...log, ...place, logIndex: toHex(log.logIndex) }))
  const logs = onWire(logsOf(1, 0))
  const canceled = encodeEventTopics({
    ...{ abi: TOKEN_ABI, eventName: 'AuthorizationCanceled' },
    args: { authorizer: payerOf(1), nonce: nonceOf(1) },
  } as never) as Hex[]
  const receipt = (change: object = {}) => ({
    result: {
      status: '0x1',
      logs,
      transactionHash: nonceOf(8),
      blockNumber: '0x5',
      gasUsed: '0x1',
      ...change,
    },
  })
  beforeEach(() => {
    answers = {
      ...{ eth_call: word(1), eth_getBlockByNumber: block(), eth_getTransactionReceipt: receipt() },
      eth_getLogs: { result: logs.slice(0, 1) },
    }
  })
  const trace = (change: object = {}) => open().trace({ ...query, ...change })

  test('that is unused searches for no logs', async () => {
    answers.eth_call = word(0)
    expect(await trace()).toEqual({ kind: 'unused' })
    expect(asked).toHaveLength(1)
  })

  test('that paid names the place of its log, and that paid otherwise is apart', async () => {
    const found = [{ transaction: nonceOf(8), logIndex: 0, blockNumber: 5n }]
    expect(await trace()).toEqual({ kind: 'used', payments: found, elsewhere: [] })
    for (const change of [{ amount: AMOUNT - 1n }, { payTo: payerOf(98) }])
      expect(await trace(change)).toEqual({ kind: 'used', payments: [], elsewhere: found })
  })

  test('that paid in the transaction it names needs no search', async () => {
    const named = { transaction: nonceOf(8), logIndex: 0, blockNumber: 5n }
    expect(await trace({ transaction: nonceOf(8) })).toEqual({
      kind: 'used',
      payments: [named],
      elsewhere: [],
    })
    expect(asked.map(({ method }) => method)).toEqual(['eth_getTransactionReceipt'])
  })

  test.each([
    ['is not on the chain', { result: null }],
    ['failed', receipt({ status: '0x0' })],
    ['is another one', receipt({ transactionHash: nonceOf(7) })],
    ['used another authorization', receipt({ logs: onWire(logsOf(2, 0)) })],
    ['canceled it', receipt({ logs: [{ ...logs[0], topics: canceled }, logs[1]] })],
    ['paid nothing', receipt({ logs: logs.slice(0, 1) })],
  ])('is searched for where the transaction it names %s', async (_what, named) => {
    answers.eth_getTransactionReceipt = named
    answers.eth_getLogs = { result: [] }
    expect(await trace({ transaction: nonceOf(8) })).toEqual({ kind: 'used', payments: [], elsewhere: [] })
  })

  test('that paid another account, or another amount, is searched for', async () => {
    const elsewhere = [{ transaction: nonceOf(8), logIndex: 0, blockNumber: 5n }]
    for (const change of [{ amount: AMOUNT - 1n }, { payTo: payerOf(98) }])
      expect(await trace({ ...change, transaction: nonceOf(8) })).toEqual({
        kind: 'used',
        payments: [],
        elsewhere,
      })
  })

  test('is not told apart by a node that does not answer for the transaction it names', async () => {
    answers.eth_getTransactionReceipt = 500
    await expect(trace({ transaction: nonceOf(8) })).rejects.toThrow(ChainUnavailable)
  })

  test('that was canceled is no use', async () => {
    answers.eth_getLogs = { result: [{ ...logs[0], topics: canceled }] }
    expect(await trace()).toEqual({ kind: 'canceled' })
  })

  test('searches two thousand blocks at once', async () => {
    answers.eth_getBlockByNumber = block({ number: '0xbb8' })
    answers.eth_getLogs = { result: [] }
    expect(await trace()).toEqual({ kind: 'used', payments: [], elsewhere: [] })
    const ranges = asked.flatMap(({ method, params: [filter] }) => {
      const { fromBlock, toBlock } = filter as { fromBlock: Hex; toBlock: Hex }
      return method === 'eth_getLogs' ? [[Number(fromBlock), Number(toBlock)]] : []
    })
    expect(ranges).toEqual([
      [1_001, 3_000],
      [0, 1_000],
    ])
  })

  test.each([
    ['failed', { status: '0x0' }],
    ['lacks the log', { logs: [] }],
    ['has another log in its place', { logs: onWire(logsOf(2, 0)) }],
    ['says that it was canceled', { logs: [{ ...logs[0], topics: canceled }, logs[1]] }],
  ])('is not believed where the receipt %s', async (_what, change) => {
    answers.eth_getTransactionReceipt = receipt(change)
    await expect(trace()).rejects.toThrow(ChainUnavailable)
  })
})

describe('two nodes', () => {
  const ask = (count = 2) =>
    nodeClient({ rpcUrls: [0, 1].slice(0, count).map(urlOf), timeoutMs: 60_000, retryCount: 0 })
  const seen = () => servers.map((server) => server.seen.length)

  test('are asked in their order, the second only for what the first does not answer', async () => {
    answers.eth_chainId = { result: '0x2105' }
    const client = ask()
    expect(await client.getChainId()).toBe(8453)
    expect(seen()).toEqual([1, 0])
    servers[0]?.behave(sendJson({}, 500))
    expect(await client.getChainId()).toBe(8453)
    expect(seen()).toEqual([2, 1])
  })

  test('are asked once each where neither answers, and one alone is asked once', async () => {
    answers.eth_chainId = 500
    await expect(ask().getChainId()).rejects.toThrow()
    expect(seen()).toEqual([1, 1])
    await expect(ask(1).getChainId()).rejects.toThrow()
    expect(seen()).toEqual([2, 1])
  })

  test('do not keep the number of the newest block', async () => {
    let number = 0
    answers.eth_blockNumber = () => {
      number += 1
      return { result: toHex(number) }
    }
    const client = ask()
    expect([await client.getBlockNumber(), await client.getBlockNumber()]).toEqual([1n, 2n])
  })
})
