import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { CANCEL_DATA } from '../../../../src/payments/chain/contract-call.ts'
import {
  createMemoryJournal,
  type SettlementJournal,
} from '../../../../src/payments/facilitators/self/queue/settlement-journal.ts'
import type { SelfFacilitator } from '../../../../src/payments/facilitators/self/self-facilitator.ts'
import type { SignedTransaction } from '../../../../src/payments/facilitators/self/transaction/settlement-transaction.ts'
import type { ChainBackend } from '../../../../src/sandbox/chain/anvil-backend.ts'
import { callRpc } from '../../../../src/sandbox/chain/json-rpc.ts'
import { giveEther } from '../../../../src/sandbox/chain/provision.ts'
import { startAnvil } from '../../../support/chain-backends.ts'
import { freshAccount, signPayment, termsFor } from '../../../support/chain-payments.ts'
import { eventually } from '../../../support/eventually.ts'
import { patientFacilitator } from '../../../support/patient-facilitator.ts'
import { type RpcProxy, startRpcProxy } from '../../../support/rpc-proxy.ts'

/** Longer than a payment is signed for. */
const AHEAD_SECONDS = 300

describe('a late settlement whose authorization has ended by one clock only', () => {
  const payer = freshAccount()
  const privateKey = generatePrivateKey()
  const account = privateKeyToAccount(privateKey)
  let chain: ChainBackend
  let node: string
  let proxy: RpcProxy
  let payTo: `0x${string}`
  let journal: SettlementJournal
  let signed: SignedTransaction[]
  let facilitator: SelfFacilitator

  beforeAll(async () => {
    chain = await startAnvil()
    node = chain.rpcUrl ?? ''
    await chain.fund(payer.address, 1_000_000n)
    await giveEther(node, account.address)
    proxy = await startRpcProxy(node)
  })
  afterAll(async () => {
    await proxy.stop()
    await chain.stop()
  })
  beforeEach(async () => {
    payTo = freshAccount().address
    journal = createMemoryJournal()
    signed = []
    facilitator = start({ confirmMs: 100 })
    proxy.treat(({ method }) => (method === 'eth_sendRawTransaction' ? 'drop' : 'pass'))
    const { payload, requirements } = await signPayment(payer, termsFor(payTo))
    expect(await facilitator.settle(payload, requirements)).toMatchObject({ success: false })
    proxy.treat(() => 'pass')
    facilitator.close()
    facilitator = start({ replaceMs: 1 })
  })
  afterEach(() => {
    facilitator.close()
    vi.restoreAllMocks()
  })

  const start = (timing: { readonly confirmMs?: number; readonly replaceMs?: number }) =>
    patientFacilitator({
      rpcUrls: [proxy.url],
      account,
      timing,
      journal,
      onSigned: (transaction) => void signed.push(transaction),
    })

  const setOurClockAhead = () => {
    const now = Date.now
    vi.spyOn(Date, 'now').mockImplementation(() => now() + AHEAD_SECONDS * 1000)
  }
  const carryOut = () =>
    eventually(async () => {
      await facilitator.maintain()
      return (await journal.load()).length
    }).toBe(0)
  /** On a slow machine a transaction may be signed again at a higher fee before its receipt is seen. */
  const isCancellation = ({ call }: SignedTransaction) => call.data === CANCEL_DATA
  const received = () => chain.chainReader.balance(payTo)

  test('is mined where ours is ahead', async () => {
    setOurClockAhead()
    await carryOut()
    expect(await received()).toBe(1_000n)
    expect(new Set(signed.map(({ nonce }) => nonce)).size).toBe(1)
    expect(signed.some(isCancellation)).toBe(false)
  })

  test('is mined under the next nonce where ours is ahead and another program took its own', async () => {
    const raw = await account.signTransaction({
      ...{ type: 'eip1559', chainId: 8453, nonce: signed[0]?.nonce ?? 0, gas: 21_000n, to: account.address },
      ...{ maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n },
    })
    const hash = await callRpc(node, 'eth_sendRawTransaction', [raw])
    await eventually(() => callRpc(node, 'eth_getTransactionReceipt', [hash])).not.toBeNull()
    setOurClockAhead()
    await carryOut()
    expect(await received()).toBe(1_000n)
  })

  // The last one: the chain's clock cannot be set back.
  test('is given up where ours is behind, and its call is not mined at our cost', async () => {
    await callRpc(node, 'evm_increaseTime', [AHEAD_SECONDS])
    await callRpc(node, 'evm_mine')
    await carryOut()
    const [first, ...later] = signed.map(isCancellation)
    expect([first, ...new Set(later)]).toEqual([false, true])
  })
})
