import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { createRpcChainReader } from '../../../src/payments/chain/rpc-chain-reader.ts'
import type { NodeReader } from '../../../src/payments/chain/verified-reader.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import type { ChainBackend } from '../../../src/sandbox/chain/anvil-backend.ts'
import { startAnvilBackend } from '../../../src/sandbox/chain/anvil-backend.ts'
import { callRpc } from '../../../src/sandbox/chain/json-rpc.ts'
import { anvilBinary } from '../../support/chain-backends.ts'
import { freshAccount, signPayment, termsFor, transferCall } from '../../support/chain-payments.ts'
import { type RpcProxy, startRpcProxy } from '../../support/rpc-proxy.ts'

describe('reading a chain through a node that misbehaves', () => {
  const payer = freshAccount()
  const payTo = freshAccount().address
  let chain: ChainBackend
  let proxy: RpcProxy
  let reader: NodeReader
  /** Gives up soon, for a node that never answers; the other one waits as long as a test does. */
  let hasty: NodeReader

  beforeAll(async () => {
    const facilitatorKey = generatePrivateKey()
    chain = await startAnvilBackend({ binary: anvilBinary(), facilitatorKey, log: () => {} })
    await chain.fund(payer.address, 1_000_000n)
    proxy = await startRpcProxy(chain.rpcUrl ?? '')
    const options = { rpcUrl: proxy.url, token: TOKEN, logWindow: 50n }
    reader = createRpcChainReader({ ...options, timeoutMs: 3_600_000 })
    hasty = createRpcChainReader({ ...options, timeoutMs: 200 })
  })
  afterAll(async () => {
    await proxy.stop()
    await chain.stop()
  })
  beforeEach(() => proxy.treat(() => 'pass'))

  const nonce = `0x${'ab'.repeat(32)}` as const
  const query = { payer: payer.address, nonce, payTo, amount: 1000n }
  const questions: [string, (reader: NodeReader) => Promise<unknown>][] = [
    ['head', (asked) => asked.head()],
    ['block', (asked) => asked.block(1n)],
    ['chainId', (asked) => asked.chainId()],
    ['hasCode', (asked) => asked.hasCode(TOKEN)],
    ['balance', (asked) => asked.balance(payer.address)],
    ['authorizationUsed', (asked) => asked.authorizationUsed(payer.address, nonce)],
    ['trace', (asked) => asked.trace(query)],
  ]

  test.each(
    questions,
  )('%s rejects when the node limits, drops, hangs or talks nonsense', async (_, question) => {
    for (const treatment of [
      'limit',
      'drop',
      'hang',
      { result: 'nonsense' },
      { result: null },
      { result: {} },
    ] as const) {
      proxy.treat(() => treatment)
      const outcome = await question(treatment === 'hang' ? hasty : reader).catch((error: unknown) => error)
      expect(outcome, JSON.stringify(treatment)).toBeInstanceOf(ChainUnavailable)
    }
  })

  test('logs are searched backwards in bounded windows, from the block given', async () => {
    const payment = await signPayment(payer, termsFor(payTo))
    const { number: before } = await reader.head()
    await chain.transact(TOKEN, transferCall(payment))
    await callRpc(chain.rpcUrl ?? '', 'anvil_mine', ['0x78'])
    proxy.seen.length = 0
    const trace = await reader.trace({ ...query, nonce: payment.transfer.nonce, fromBlock: before })
    expect(trace).toMatchObject({ kind: 'used', payments: [{ logIndex: 0 }] })

    const searches = proxy.seen.filter(({ method }) => method === 'eth_getLogs')
    const ranges = searches.map(({ params: [filter] }) => asRange(filter))
    expect(ranges).toHaveLength(3)
    for (const [from, to] of ranges) expect(to - from).toBeLessThan(50n)
    expect(ranges[1]?.[1]).toBe((ranges[0]?.[0] ?? 0n) - 1n)
    expect(ranges[2]?.[0]).toBe(before)
  })

  test('a node that refuses wide ranges is asked for narrower ones', async () => {
    const payment = await signPayment(payer, termsFor(payTo))
    const { number: before } = await reader.head()
    await chain.transact(TOKEN, transferCall(payment))
    await callRpc(chain.rpcUrl ?? '', 'anvil_mine', ['0x28'])
    const tooWide = { error: { code: -32602, message: 'block range is too wide' } }
    const limitedTo = (blocks: bigint) =>
      proxy.treat(({ method, params: [filter] }) => {
        if (method !== 'eth_getLogs') return 'pass'
        const [from, to] = asRange(filter)
        return to - from < blocks ? 'pass' : tooWide
      })
    const ask = { ...query, nonce: payment.transfer.nonce, fromBlock: before }
    for (const blocks of [10n, 1n]) {
      limitedTo(blocks)
      expect(await reader.trace(ask)).toMatchObject({ kind: 'used', payments: [{ logIndex: 0 }] })
    }
    limitedTo(0n)
    await expect(reader.trace(ask)).rejects.toThrow(ChainUnavailable)
  })

  test('one block with more logs than a node returns does not make the search go on block by block', async () => {
    const payment = await signPayment(payer, termsFor(payTo))
    const { number: before } = await reader.head()
    await chain.transact(TOKEN, transferCall(payment))
    await callRpc(chain.rpcUrl ?? '', 'anvil_mine', ['0x64'])
    const { number: full } = await reader.head()
    const tooMany = { error: { code: -32005, message: 'query returned more than 10000 results' } }
    proxy.treat(({ method, params: [filter] }) => {
      if (method !== 'eth_getLogs') return 'pass'
      const [from, to] = asRange(filter)
      return from < to && to === full ? tooMany : 'pass'
    })
    proxy.seen.length = 0
    const ask = { ...query, nonce: payment.transfer.nonce, fromBlock: before }
    expect(await reader.trace(ask)).toMatchObject({ kind: 'used', payments: [{ logIndex: 0 }] })
    expect(proxy.seen.filter(({ method }) => method === 'eth_getLogs').length).toBeLessThan(25)
  })

  test('logs of another authorization, or taken back by a reorganisation, are not believed', async () => {
    const [mine, other] = [
      await signPayment(payer, termsFor(payTo)),
      await signPayment(payer, termsFor(payTo)),
    ]
    await chain.transact(TOKEN, transferCall(mine))
    await chain.transact(TOKEN, transferCall(other))
    const logs = (await callRpc(chain.rpcUrl ?? '', 'eth_getLogs', [
      { fromBlock: '0x0', address: TOKEN },
    ])) as {
      topics: string[]
    }[]
    const about = (log: { topics: string[] }) => log.topics[2] === other.transfer.nonce
    const ask = { ...query, nonce: mine.transfer.nonce }

    proxy.treat(({ method }) => (method === 'eth_getLogs' ? { result: logs.filter(about) } : 'pass'))
    expect(await reader.trace(ask)).toEqual({ kind: 'used', payments: [], elsewhere: [] })

    const removed = logs
      .filter((log) => log.topics[2] === mine.transfer.nonce)
      .map((log) => ({ ...log, removed: true }))
    proxy.treat(({ method }) => (method === 'eth_getLogs' ? { result: removed } : 'pass'))
    expect(await reader.trace(ask)).toEqual({ kind: 'used', payments: [], elsewhere: [] })
  })

  test('a used authorization whose receipt the node does not have is no answer', async () => {
    const payment = await signPayment(payer, termsFor(payTo))
    await chain.transact(TOKEN, transferCall(payment))
    proxy.treat(({ method }) => (method === 'eth_getTransactionReceipt' ? { result: null } : 'pass'))
    await expect(reader.trace({ ...query, nonce: payment.transfer.nonce })).rejects.toThrow(ChainUnavailable)
  })
})

function asRange(filter: unknown): [from: bigint, to: bigint] {
  const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string }
  return [BigInt(fromBlock), BigInt(toBlock)]
}
