import type { FacilitatorClient } from '@x402/core/server'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { createSelfFacilitator } from '../../../src/payments/facilitators/self-facilitator.ts'
import type { SignedTransaction } from '../../../src/payments/facilitators/settlement-queue.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { startAnvilBackend } from '../../../src/sandbox/chain/anvil-backend.ts'
import type { ChainBackend } from '../../../src/sandbox/chain/chain-backend.ts'
import { callRpc } from '../../../src/sandbox/chain/json-rpc.ts'
import { giveEther } from '../../../src/sandbox/chain/provision.ts'
import { anvilBinary } from '../../support/chain-backends.ts'
import { freshAccount, type SignedPayment, signPayment, termsFor } from '../../support/chain-payments.ts'
import { eventually } from '../../support/eventually.ts'
import { type RpcProxy, startRpcProxy, type Treatment } from '../../support/rpc-proxy.ts'

const NEVER_MS = 3_600_000

describe('settling in process over a node that misbehaves', () => {
  const payer = freshAccount()
  const payTo = freshAccount().address
  const privateKey = generatePrivateKey()
  const sender = privateKeyToAccount(privateKey).address
  let chain: ChainBackend
  let node: string
  let proxy: RpcProxy
  let signed: SignedTransaction[]
  let facilitator: FacilitatorClient
  let onSigned: (transaction: SignedTransaction) => Promise<void> | void

  beforeAll(async () => {
    const facilitatorKey = generatePrivateKey()
    chain = await startAnvilBackend({ binary: anvilBinary(), facilitatorKey, log: () => {} })
    node = chain.rpcUrl ?? ''
    await chain.fund(payer.address, 1_000_000n)
    await giveEther(node, sender)
    proxy = await startRpcProxy(node)
  })
  afterAll(async () => {
    await proxy.stop()
    await chain.stop()
  })
  beforeEach(() => {
    proxy.treat(() => 'pass')
    proxy.seen.length = 0
    signed = []
    onSigned = (transaction) => void signed.push(transaction)
    facilitator = startFacilitator()
  })

  /** One that waits as long as a test does, for each of its reasons to wait that is not changed. */
  const startFacilitator = (change: { requestMs?: number; confirmMs?: number; replaceMs?: number } = {}) =>
    createSelfFacilitator({
      rpcUrl: proxy.url,
      privateKey,
      chainId: 8453,
      token: TOKEN,
      requestTimeoutMs: change.requestMs ?? NEVER_MS,
      timing: {
        confirmMs: change.confirmMs ?? NEVER_MS,
        lookMs: 20,
        replaceMs: change.replaceMs ?? NEVER_MS,
      },
      onSigned: (transaction) => onSigned(transaction),
    })

  const sign = () => signPayment(payer, termsFor(payTo))
  const settle = ({ payload, requirements }: SignedPayment) => facilitator.settle(payload, requirements)
  const verify = ({ payload, requirements }: SignedPayment) => facilitator.verify(payload, requirements)
  const queryFor = ({ transfer }: SignedPayment) => ({
    payer: transfer.from,
    nonce: transfer.nonce,
    payTo,
    amount: 1000n,
  })
  const treatOnly = (method: string, treatment: Treatment) =>
    proxy.treat((request) => (request.method === method ? treatment : 'pass'))
  const broadcasts = () => proxy.seen.filter(({ method }) => method === 'eth_sendRawTransaction').length

  test('the hash is recorded before the transaction is broadcast', async () => {
    let broadcastsWhenSigned = -1
    onSigned = () => {
      broadcastsWhenSigned = broadcasts()
    }
    expect(await settle(await sign())).toMatchObject({ success: true })
    expect([broadcastsWhenSigned, broadcasts()]).toEqual([0, 1])
  })

  test('nothing is sent when the record fails, and the nonce is free for the next', async () => {
    const payment = await sign()
    onSigned = () => Promise.reject(new Error('store is down'))
    await expect(settle(payment)).rejects.toThrow(ChainUnavailable)
    expect(broadcasts()).toBe(0)
    onSigned = () => {}
    expect(await settle(payment)).toMatchObject({ success: true })
  })

  test.each([
    'limit',
    'drop',
    'hang',
  ] as const)('a node that would %s is an outage, never a bad payment', async (how) => {
    const payment = await sign()
    if (how === 'hang') facilitator = startFacilitator({ requestMs: 1_000 })
    proxy.treat(() => how)
    await expect(verify(payment)).rejects.toThrow(ChainUnavailable)
    await expect(settle(payment)).rejects.toThrow(ChainUnavailable)
    expect(signed).toEqual([])
    proxy.treat(() => 'pass')
    // Asked again until the node, which may be slow for the machine's sake, has answered in time.
    const answerOf = (reply: Promise<unknown>) => reply.catch((error: unknown) => ({ error }))
    await eventually(() => answerOf(verify(payment))).toMatchObject({ isValid: true })
    await eventually(() => answerOf(settle(payment))).toMatchObject({ success: true })
  })

  test.each([
    'eth_getCode',
    'eth_estimateGas',
    'eth_getTransactionCount',
  ])('an outage of %s alone sends nothing', async (method) => {
    const payment = await sign()
    treatOnly(method, 'limit')
    await expect(settle(payment)).rejects.toThrow(ChainUnavailable)
    expect(signed).toEqual([])
    expect(await chain.chainReader.trace(queryFor(payment))).toEqual({ kind: 'unused' })
  })

  test('an outage of eth_call during verify is no refusal', async () => {
    treatOnly('eth_call', 'drop')
    await expect(verify(await sign())).rejects.toThrow(ChainUnavailable)
  })

  test('a broadcast whose answer is lost is settled all the same, once', async () => {
    const payment = await sign()
    treatOnly('eth_sendRawTransaction', 'lose-answer')
    const outcome = await settle(payment)
    expect(outcome).toMatchObject({ success: true, transaction: signed[0]?.hash })
    proxy.treat(() => 'pass')
    expect(await settle(await sign())).toMatchObject({ success: true })
  })

  test('a transaction the node took and lost is replaced under the same nonce', async () => {
    const payment = await sign()
    facilitator = startFacilitator({ replaceMs: 300 })
    let lost = 0
    proxy.treat(({ method }) =>
      method === 'eth_sendRawTransaction' && lost++ === 0 ? { result: `0x${'00'.repeat(32)}` } : 'pass',
    )
    const outcome = await settle(payment)
    expect(signed.length).toBeGreaterThan(1)
    expect(new Set(signed.map(({ nonce }) => nonce)).size).toBe(1)
    expect(signed[1]?.replaces).toBe(signed[0]?.hash)
    const trace = await chain.chainReader.trace(queryFor(payment))
    expect(outcome).toMatchObject({ success: true, transaction: signed.at(-1)?.hash })
    expect(trace).toMatchObject({ kind: 'used', payments: [{ transaction: outcome.transaction }] })
  })

  test('without a receipt in time the answer is pending with the hash, and settling again finds it', async () => {
    const payment = await sign()
    facilitator = startFacilitator({ confirmMs: 100 })
    treatOnly('eth_getTransactionReceipt', { result: null })
    const outcome = await settle(payment)
    expect(outcome).toMatchObject({
      success: false,
      errorReason: 'settlement_pending',
      transaction: signed[0]?.hash,
    })
    proxy.treat(() => 'pass')
    expect(await settle(payment)).toMatchObject({ success: true, transaction: signed[0]?.hash })
    expect(await chain.chainReader.balance(payTo)).toBeGreaterThan(0n)
  })

  test('a key without ether is our trouble, not the payer’s', async () => {
    const poor = createSelfFacilitator({
      rpcUrl: proxy.url,
      privateKey: generatePrivateKey(),
      chainId: 8453,
      token: TOKEN,
    })
    const { payload, requirements } = await sign()
    await expect(poor.settle(payload, requirements)).rejects.toThrow(ChainUnavailable)
  })

  test('several settlements in one block are told apart', async () => {
    await callRpc(node, 'evm_setAutomine', [false])
    const payments = await Promise.all(Array.from({ length: 5 }, sign))
    const outcomes = await Promise.all(payments.map(settle))
    await callRpc(node, 'evm_setAutomine', [true])
    expect(outcomes.map(({ success }) => success)).toEqual([true, true, true, true, true])
    const traces = await Promise.all(payments.map((payment) => chain.chainReader.trace(queryFor(payment))))
    const places = traces.map((trace) => (trace.kind === 'used' ? trace.payments : []))
    expect(places.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1])
    const names = places.flat().map(({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`)
    expect(new Set(names).size).toBe(5)
    places.flat().forEach((place, i) => {
      expect(place.transaction).toBe(outcomes[i]?.transaction)
    })
  })
})
