import { parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createMemoryJournal,
  type PendingTransaction,
  type SettlementJournal,
} from '../../../../../src/payments/facilitators/self/queue/settlement-journal.ts'
import type {
  SelfFacilitator,
  SelfFacilitatorOptions,
} from '../../../../../src/payments/facilitators/self/self-facilitator.ts'
import type { SignedTransaction } from '../../../../../src/payments/facilitators/self/transaction/settlement-transaction.ts'
import type { ChainBackend } from '../../../../../src/sandbox/chain/anvil-backend.ts'
import { callRpc } from '../../../../../src/sandbox/chain/json-rpc.ts'
import { giveEther } from '../../../../../src/sandbox/chain/provision.ts'
import { startAnvil } from '../../../../support/chain-backends.ts'
import {
  freshAccount,
  type SignedPayment,
  signPayment,
  termsFor,
} from '../../../../support/chain-payments.ts'
import { eventually } from '../../../../support/eventually.ts'
import { patientFacilitator } from '../../../../support/patient-facilitator.ts'
import { type RpcProxy, startRpcProxy, type Treatment } from '../../../../support/rpc-proxy.ts'

const NONCE_TOO_LOW = { error: { code: -32000, message: 'nonce too low' } } as const
const LOOK_UPS = [
  ['fails', 'limit'],
  ['does not find it', { result: null }],
] as const satisfies readonly (readonly [string, Treatment])[]

/** The first node loses its answer to a broadcast, so that the second one, which says that the nonce is used, is asked. */
describe('a broadcast that is answered "nonce too low"', () => {
  const payer = freshAccount()
  const privateKey = generatePrivateKey()
  const account = privateKeyToAccount(privateKey)
  let chain: ChainBackend
  let node: string
  let nodes: readonly [RpcProxy, RpcProxy]
  let payTo: `0x${string}`
  let journal: SettlementJournal
  let signed: SignedTransaction[]
  let facilitator: SelfFacilitator | undefined
  const journaled: PendingTransaction[] = []
  const journalThatNotes = (kept: SettlementJournal): SettlementJournal => ({
    ...kept,
    save: (pending) => {
      journaled.push(...pending)
      return kept.save(pending)
    },
  })

  beforeAll(async () => {
    chain = await startAnvil()
    node = chain.rpcUrl ?? ''
    await chain.fund(payer.address, 1_000_000n)
    await giveEther(node, account.address)
    nodes = [await startRpcProxy(node), await startRpcProxy(node)]
  })
  afterAll(async () => {
    await Promise.all(nodes.map((each) => each.stop()))
    await chain.stop()
  })
  beforeEach(() => {
    treat({})
    payTo = freshAccount().address
    journaled.length = 0
    journal = journalThatNotes(createMemoryJournal())
    signed = []
  })
  afterEach(() => {
    facilitator?.close()
    // One that is journaled under another nonce than its own is never offered again.
    for (const { nonce, raw } of journaled) expect(parseTransaction(raw).nonce ?? 0).toBe(nonce)
  })

  const start = (
    timing: { readonly confirmMs?: number; readonly replaceMs?: number } = {},
    bound: Pick<SelfFacilitatorOptions, 'maxCost'> = {},
  ) => {
    facilitator?.close()
    facilitator = patientFacilitator({
      rpcUrls: nodes.map(({ url }) => url),
      account,
      timing,
      journal,
      ...bound,
      onSigned: (transaction) => void signed.push(transaction),
    })
    return facilitator
  }

  /** How the nodes treat methods; the same at both, except for a broadcast. */
  const treat = (rules: Readonly<Record<string, Treatment>>) => {
    nodes.forEach((each, index) => {
      const mine = index === 0 ? 'eth_sendRawTransaction' : 'second eth_sendRawTransaction'
      each.treat(({ method }) => rules[method === 'eth_sendRawTransaction' ? mine : method] ?? 'pass')
    })
  }
  const usedNonce = (first: Treatment) => ({
    eth_sendRawTransaction: first,
    'second eth_sendRawTransaction': NONCE_TOO_LOW,
  })
  const sign = () => signPayment(payer, termsFor(payTo))
  const settle = ({ payload, requirements }: SignedPayment) =>
    (facilitator ?? start()).settle(payload, requirements)
  const received = () => chain.chainReader.balance(payTo)
  const pending = async () => (await journal.load()).length
  /** Offers what is pending until the payment has arrived and nothing is left. */
  const carryOut = async (own: SelfFacilitator) => {
    await eventually(async () => {
      await own.maintain().catch(() => {})
      return [await received(), await pending()]
    }).toEqual([1_000n, 0])
  }
  const spendNonce = async (nonce: number) => {
    const raw = await account.signTransaction({
      ...{ type: 'eip1559', chainId: 8453, nonce, gas: 21_000n, to: account.address },
      ...{ maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n },
    })
    const hash = await callRpc(node, 'eth_sendRawTransaction', [raw])
    await eventually(() => callRpc(node, 'eth_getTransactionReceipt', [hash])).not.toBeNull()
  }

  test.each(LOOK_UPS)('is settled where the first node took it and the look-up %s', async (_, lookUp) => {
    start()
    treat({ ...usedNonce('lose-answer'), eth_getTransactionByHash: lookUp })
    expect(await settle(await sign())).toMatchObject({ success: true, transaction: signed[0]?.hash })
    expect(signed).toHaveLength(1)
    expect(await received()).toBe(1_000n)
  })

  test.each(
    LOOK_UPS,
  )('is pending under its hash where no receipt is found either and the look-up %s', async (_, lookUp) => {
    const payment = await sign()
    const own = start({ confirmMs: 100 })
    treat({
      ...usedNonce('lose-answer'),
      eth_getTransactionByHash: lookUp,
      eth_getTransactionReceipt: lookUp,
    })
    expect(await settle(payment)).toMatchObject({
      success: false,
      errorReason: 'settlement_pending',
      transaction: signed[0]?.hash,
    })
    expect(await pending()).toBe(1)
    treat({})
    await carryOut(own)
    expect(signed).toHaveLength(1)
    expect(await settle(payment)).toMatchObject({ success: true, transaction: signed[0]?.hash })
  })

  test.each(LOOK_UPS)('is offered again where no node took it and the look-up %s', async (_, lookUp) => {
    start({ confirmMs: 100 })
    treat({ ...usedNonce('drop'), eth_getTransactionByHash: lookUp })
    expect(await settle(await sign())).toMatchObject({
      success: false,
      errorReason: 'settlement_pending',
      transaction: signed[0]?.hash,
    })
    expect(await received()).toBe(0n)
    treat({})
    await carryOut(start({ replaceMs: 1 }))
    expect(signed).toHaveLength(1)
  })

  test.each(
    LOOK_UPS,
  )('is carried out under the next nonce where another program took it and the look-up first %s', async (_, lookUp) => {
    start({ confirmMs: 100 })
    const nonce = Number(await callRpc(node, 'eth_getTransactionCount', [account.address, 'latest']))
    const payment = await sign()
    treat({ ...usedNonce('drop'), eth_getTransactionByHash: lookUp })
    expect(await settle(payment)).toMatchObject({ success: false, errorReason: 'settlement_pending' })
    await spendNonce(nonce)
    expect(await pending()).toBe(1)
    treat({})
    await carryOut(start({ replaceMs: 1 }))
    expect([...new Set(signed.map((each) => each.nonce))]).toEqual([nonce, nonce + 1])
    expect(signed[1]?.replaces).toBe(signed[0]?.hash)
  })

  test('holds up no later one where another program took it and it has become too expensive', async () => {
    start({ confirmMs: 100 })
    const nonce = Number(await callRpc(node, 'eth_getTransactionCount', [account.address, 'latest']))
    treat(usedNonce('drop'))
    await settle(await sign())
    await spendNonce(nonce)
    await settle(await sign())
    treat({})
    const own = start({ replaceMs: 1 }, { maxCost: 1n })
    await own.maintain().catch(() => {})
    await eventually(received).toBe(1_000n)
    await eventually(async () => {
      await own.maintain().catch(() => {})
      return pending()
    }).toBe(1)
    expect(signed.map((each) => each.nonce)).toEqual([nonce, nonce + 1])
    start({ replaceMs: 1 })
    await eventually(async () => {
      await facilitator?.maintain()
      return [await received(), await pending()]
    }).toEqual([2_000n, 0])
  })

  test('is not signed again while the index of transactions may be behind', async () => {
    const own = start({ confirmMs: 100 })
    treat({
      ...usedNonce('lose-answer'),
      eth_getTransactionByHash: { result: null },
      eth_getTransactionReceipt: { result: null },
    })
    await settle(await sign())
    for (let look = 0; look < 3; look += 1) await own.maintain()
    expect(signed).toHaveLength(1)
    expect(await pending()).toBe(1)
    treat({})
    await carryOut(own)
    expect(signed).toHaveLength(1)
  })

  test.each([
    ['was not made', false],
    ['was made', true],
  ])('is never reached, and the outcome is open, where the journal fails and the write %s', async (_, made) => {
    const real = journal
    const payment = await sign()
    const failing = async (entries: readonly PendingTransaction[]) => {
      if (made) await real.save(entries)
      throw new Error('the store is down')
    }
    journal = { ...real, save: failing }
    start({ confirmMs: 100 })
    expect(await settle(payment)).toMatchObject({
      success: false,
      errorReason: 'settlement_pending',
      transaction: signed[0]?.hash,
    })
    expect(await received()).toBe(0n)
    journal = real
    const own = start({ replaceMs: 1 })
    if (!made) expect(await settle(payment)).toMatchObject({ success: true })
    await carryOut(own)
  })

  test('holds up nothing past the end of its authorization where another program took it and no look-up is ever answered', async () => {
    start({ confirmMs: 100 })
    const nonce = Number(await callRpc(node, 'eth_getTransactionCount', [account.address, 'latest']))
    treat({ ...usedNonce('drop'), eth_getTransactionByHash: 'limit' })
    expect(await settle(await sign())).toMatchObject({ success: false, errorReason: 'settlement_pending' })
    await spendNonce(nonce)
    const [lost] = await journal.load()
    await journal.save([{ ...(lost as PendingTransaction), expiresAt: 1 }])
    treat({ eth_getTransactionByHash: 'limit' })
    const own = start({ replaceMs: 1 })
    await own.maintain()
    expect(await settle(await sign())).toMatchObject({ success: true })
    expect(await received()).toBe(1_000n)
    treat({})
    await own.maintain()
    expect(await pending()).toBe(0)
    expect(await received()).toBe(1_000n)
  })
})
