import type { FacilitatorClient } from '@x402/core/server'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ChainUnavailable } from '../../../../src/payments/chain/chain-reader.ts'
import { FacilitatorFault } from '../../../../src/payments/facilitators/facilitator-fault.ts'
import {
  createMemoryJournal,
  type PendingTransaction,
} from '../../../../src/payments/facilitators/self/queue/settlement-journal.ts'
import {
  createSelfFacilitator,
  type SelfFacilitatorOptions,
} from '../../../../src/payments/facilitators/self/self-facilitator.ts'
import type { SignedTransaction } from '../../../../src/payments/facilitators/self/transaction/settlement-transaction.ts'
import { TOKEN } from '../../../../src/sandbox/addresses.ts'
import type { ChainBackend } from '../../../../src/sandbox/chain/anvil-backend.ts'
import { callRpc } from '../../../../src/sandbox/chain/json-rpc.ts'
import { giveEther } from '../../../../src/sandbox/chain/provision.ts'
import { startAnvil } from '../../../support/chain-backends.ts'
import { freshAccount, type SignedPayment, signPayment, termsFor } from '../../../support/chain-payments.ts'
import { eventually } from '../../../support/eventually.ts'
import { type RpcProxy, startRpcProxy, type Treatment } from '../../../support/rpc-proxy.ts'

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
    chain = await startAnvil()
    node = chain.rpcUrl ?? ''
    await chain.fund(payer.address, 1_000_000n)
    await giveEther(node, sender)
    proxy = await startRpcProxy(node)
  })
  afterAll(async () => {
    await proxy.stop()
    await chain.stop()
  })
  afterEach(() => void vi.restoreAllMocks())
  beforeEach(() => {
    proxy.treat(() => 'pass')
    proxy.seen.length = 0
    signed = []
    onSigned = (transaction) => void signed.push(transaction)
    facilitator = startFacilitator()
  })

  /** One that waits as long as a test does, for each of its reasons to wait that is not changed. */
  const startFacilitator = (
    change: Partial<SelfFacilitatorOptions> & {
      requestMs?: number
      confirmMs?: number
      replaceMs?: number
      settleMs?: number
    } = {},
  ) => {
    const { requestMs, confirmMs, replaceMs, settleMs, ...options } = change
    return createSelfFacilitator({
      rpcUrls: [proxy.url],
      account: privateKeyToAccount(privateKey),
      chainId: 8453,
      finalityDepth: 0n,
      token: TOKEN,
      requestTimeoutMs: requestMs ?? NEVER_MS,
      timing: {
        settleMs: settleMs ?? NEVER_MS,
        confirmMs: confirmMs ?? NEVER_MS,
        lookMs: 20,
        replaceMs: replaceMs ?? NEVER_MS,
      },
      onSigned: (transaction) => onSigned(transaction),
      ...options,
    })
  }

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
    await expect(settle(payment)).rejects.toThrow(FacilitatorFault)
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

  test('answers of the node that come in parts are read whole', async () => {
    proxy.treat(() => 'in-parts')
    expect(await settle(await sign())).toMatchObject({ success: true, transaction: signed[0]?.hash })
    expect(signed).toHaveLength(1)
  })

  test('an answer to a broadcast that ends in the middle is no answer, and it is settled all the same, once', async () => {
    const payment = await sign()
    treatOnly('eth_sendRawTransaction', 'half')
    expect(await settle(payment)).toMatchObject({ success: true, transaction: signed[0]?.hash })
    proxy.treat(() => 'pass')
    expect(signed).toHaveLength(1)
    expect(await chain.chainReader.trace(queryFor(payment))).toMatchObject({ kind: 'used' })
  })

  test('a node that names a head far ahead gets the nonce given up, and no answer denies what it may have paid', async () => {
    facilitator = startFacilitator({ replaceMs: 1 })
    const payment = await sign()
    const far = Math.floor(Date.now() / 1000) + 86_400
    proxy.treat(({ method }) => {
      if (method === 'eth_sendRawTransaction' && signed.length === 1) return 'drop'
      if (method !== 'eth_getBlockByNumber') return 'pass'
      return {
        rewrite: (block) => block && { ...block, number: '0xffffff', timestamp: `0x${far.toString(16)}` },
      }
    })
    const outcome = await settle(payment).catch(() => undefined)
    expect(outcome?.success ?? false).toBe(false)
    expect(outcome).not.toMatchObject({ errorReason: 'invalid_exact_evm_insufficient_balance' })
    proxy.treat(() => 'pass')
    facilitator = startFacilitator({ replaceMs: 1 })
    expect(await settle(await sign())).toMatchObject({ success: true })
  })

  test('a transaction the node took and lost is offered again as it is', async () => {
    const payment = await sign()
    facilitator = startFacilitator({ replaceMs: 300 })
    let lost = 0
    proxy.treat(({ method }) =>
      method === 'eth_sendRawTransaction' && lost++ === 0 ? { result: `0x${'00'.repeat(32)}` } : 'pass',
    )
    const outcome = await settle(payment)
    expect(signed).toHaveLength(1)
    expect(broadcasts()).toBeGreaterThan(1)
    const trace = await chain.chainReader.trace(queryFor(payment))
    expect(outcome).toMatchObject({ success: true, transaction: signed[0]?.hash })
    expect(trace).toMatchObject({ kind: 'used', payments: [{ transaction: outcome.transaction }] })
  })

  test('a clock that is put back an hour keeps no transaction from being offered again, nor a call waiting', async () => {
    const payment = await sign()
    facilitator = startFacilitator({ confirmMs: 2_000, replaceMs: 300 })
    let lost = 0
    const real = Date.now
    proxy.treat(({ method }) => {
      if (method !== 'eth_sendRawTransaction' || lost++ > 0) return 'pass'
      vi.spyOn(Date, 'now').mockImplementation(() => real() - NEVER_MS)
      return { result: `0x${'00'.repeat(32)}` }
    })
    expect(await settle(payment)).toMatchObject({ success: true })
  })

  test('a transaction the node has and does not mine is replaced at a higher fee under the same nonce', async () => {
    await callRpc(node, 'evm_setIntervalMining', [0])
    facilitator = startFacilitator({ replaceMs: 300 })
    const settling = settle(await sign())
    await eventually(async () => signed.length).toBeGreaterThan(1)
    await callRpc(node, 'evm_setAutomine', [true])
    await callRpc(node, 'evm_mine')
    expect(await settling).toMatchObject({ success: true })
    expect(new Set(signed.map(({ nonce }) => nonce)).size).toBe(1)
    expect(signed[1]?.replaces).toBe(signed[0]?.hash)
  })

  test('fees do not rise because broadcasts fail, however long they do', async () => {
    const payment = await sign()
    facilitator = startFacilitator({ replaceMs: 1 })
    treatOnly('eth_sendRawTransaction', 'drop')
    const settling = settle(payment)
    await eventually(async () => broadcasts()).toBeGreaterThan(10)
    expect(signed).toHaveLength(1)
    proxy.treat(() => 'pass')
    expect(await settling).toMatchObject({ success: true, transaction: signed[0]?.hash })
    expect(signed).toHaveLength(1)
  })

  test('fees never rise beyond the most a settlement may cost, and sales pause meanwhile', async () => {
    await callRpc(node, 'evm_setIntervalMining', [0])
    const fees = await callRpc(node, 'eth_gasPrice')
    const maxCost = BigInt(fees as string) * 150_000n * 3n
    const own = startFacilitator({ replaceMs: 1, maxCost })
    facilitator = own
    const settling = settle(await sign())
    await eventually(async () => own.settlementState()).toMatchObject({ pending: 1, isTooExpensive: true })
    expect(signed.length).toBeLessThan(20)
    await callRpc(node, 'evm_setAutomine', [true])
    await callRpc(node, 'evm_mine')
    expect(await settling).toMatchObject({ success: true })
    await eventually(async () => {
      await own.maintain()
      return own.settlementState()
    }).toMatchObject({ pending: 0, isTooExpensive: false })
  })

  test('nothing is signed while a settlement costs more than allowed', async () => {
    const own = startFacilitator({ maxCost: 1n })
    facilitator = own
    await expect(settle(await sign())).rejects.toThrow(FacilitatorFault)
    expect(signed).toEqual([])
    expect(own.settlementState()).toMatchObject({ pending: 0, isTooExpensive: true })
  })

  test('a pending transaction is offered again by another process after a crash', async () => {
    const journal = createMemoryJournal()
    const payment = await sign()
    facilitator = startFacilitator({ journal, confirmMs: 100 })
    treatOnly('eth_sendRawTransaction', {
      error: { code: -32000, message: 'insufficient funds for gas * price + value' },
    })
    expect(await settle(payment)).toMatchObject({ success: false, errorReason: 'settlement_pending' })
    proxy.treat(() => 'pass')
    const successor = startFacilitator({ journal, replaceMs: 1 })
    await successor.maintain()
    // Until the block is there, a second look would replace it: a millisecond is late.
    await eventually(() => chain.chainReader.trace(queryFor(payment))).toMatchObject({ kind: 'used' })
    expect(signed).toHaveLength(1)
    await eventually(async () => {
      await successor.maintain()
      return successor.settlementState().pending
    }).toBe(0)
  })

  test('the nonce of an authorization that has ended meanwhile is given up, and later ones go on', async () => {
    const journal = createMemoryJournal()
    facilitator = startFacilitator({ journal, confirmMs: 100, replaceMs: 1 })
    const life = { validBefore: String(Math.floor(Date.now() / 1000) + 10) }
    const ending = await signPayment(payer, termsFor(payTo), life)
    treatOnly('eth_sendRawTransaction', 'drop')
    expect(await settle(ending)).toMatchObject({ success: false })
    const [first] = await journal.load()
    await journal.save([{ ...(first as PendingTransaction), expiresAt: 1 }])
    proxy.treat(() => 'pass')
    facilitator = startFacilitator({ journal, replaceMs: 1 })
    expect(await settle(await sign())).toMatchObject({ success: true })
    expect(await chain.chainReader.trace(queryFor(ending))).toEqual({ kind: 'unused' })
  })

  test('a call whose nonce another program took while it was pending goes out under the next one', async () => {
    const payment = await sign()
    facilitator = startFacilitator({ replaceMs: 300 })
    const other = privateKeyToAccount(privateKey)
    onSigned = async (transaction) => {
      if (signed.push(transaction) > 1) return
      const raw = await other.signTransaction({
        ...{ type: 'eip1559', chainId: 8453, nonce: transaction.nonce, gas: 21_000n, to: sender },
        ...{ maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n },
      })
      const hash = await callRpc(node, 'eth_sendRawTransaction', [raw])
      await eventually(() => callRpc(node, 'eth_getTransactionReceipt', [hash])).not.toBeNull()
    }
    let refused = 0
    const underpriced = { error: { code: -32000, message: 'replacement transaction underpriced' } }
    proxy.treat(({ method }) =>
      method === 'eth_sendRawTransaction' && refused++ === 0 ? underpriced : 'pass',
    )
    const outcome = await settle(payment)
    expect(outcome).toMatchObject({ success: true, transaction: signed[1]?.hash })
    expect(signed[1]?.nonce).toBe((signed[0]?.nonce ?? 0) + 1)
    const trace = await chain.chainReader.trace(queryFor(payment))
    expect(trace).toMatchObject({ kind: 'used', payments: [{ transaction: outcome.transaction }] })
  })

  test('a call that is pending is not sent twice', async () => {
    const journal = createMemoryJournal()
    const payment = await sign()
    facilitator = startFacilitator({ journal, confirmMs: 100 })
    treatOnly('eth_getTransactionReceipt', { result: null })
    await callRpc(node, 'evm_setIntervalMining', [0])
    await settle(payment)
    facilitator = startFacilitator({ journal, confirmMs: 100 })
    await settle({ ...payment, payload: { ...payment.payload } })
    expect(signed).toHaveLength(1)
    await callRpc(node, 'evm_setAutomine', [true])
    await callRpc(node, 'evm_mine')
  })

  test('a settlement that has no time left is not signed', async () => {
    facilitator = startFacilitator({ settleMs: -1 })
    await expect(settle(await sign())).rejects.toThrow(FacilitatorFault)
    expect(signed).toEqual([])
  })

  test('a payer whose address holds code is refused where wallets are, before anything is simulated', async () => {
    const wallet = freshAccount()
    await callRpc(node, 'anvil_setCode', [wallet.address, '0x00'])
    facilitator = startFacilitator({ contractWallets: 'refuse' })
    const payment = await signPayment(wallet, termsFor(payTo))
    expect(await verify(payment)).toMatchObject({ isValid: false })
    expect(await settle(payment)).toMatchObject({
      success: false,
      errorReason: 'invalid_exact_evm_payload_signature',
      transaction: '',
    })
    expect(proxy.seen.map(({ method }) => method)).not.toContain('eth_estimateGas')
    expect(await settle(await sign())).toMatchObject({ success: true })
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
    await eventually(() => settle(payment)).toMatchObject({ success: true, transaction: signed[0]?.hash })
    expect(await chain.chainReader.balance(payTo)).toBeGreaterThan(0n)
  })

  test('a key without ether is our trouble, not the payer’s', async () => {
    const poor = createSelfFacilitator({
      rpcUrls: [proxy.url],
      account: privateKeyToAccount(generatePrivateKey()),
      chainId: 8453,
      finalityDepth: 0n,
      token: TOKEN,
    })
    const { payload, requirements } = await sign()
    await expect(poor.settle(payload, requirements)).rejects.toThrow(FacilitatorFault)
  })

  test('each of several settlements in one block is found', async () => {
    facilitator = startFacilitator({ batch: { most: 1 } })
    await callRpc(node, 'evm_setIntervalMining', [0])
    const payments = await Promise.all(Array.from({ length: 5 }, sign))
    const settling = Promise.all(payments.map(settle))
    await eventually(async () => broadcasts()).toBe(5)
    await callRpc(node, 'evm_setAutomine', [true])
    await callRpc(node, 'evm_mine')
    const outcomes = await settling
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
