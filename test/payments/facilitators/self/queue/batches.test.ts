import { setTimeout as sleep } from 'node:timers/promises'
import { concatHex, parseTransaction } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentRow } from '../../../../../src/ledger/payments/payment-row.ts'
import { AGGREGATOR, countOf } from '../../../../../src/payments/chain/settlement-calls.ts'
import {
  createMemoryJournal,
  type SettlementJournal,
} from '../../../../../src/payments/facilitators/self/queue/settlement-journal.ts'
import type {
  SelfFacilitator,
  SelfFacilitatorOptions,
} from '../../../../../src/payments/facilitators/self/self-facilitator.ts'
import { SYSTEM_CLOCK } from '../../../../../src/payments/facilitators/self/settlement-clock.ts'
import { persistTransactionHash } from '../../../../../src/payments/facilitators/self/transaction/persist-transaction-hash.ts'
import type { SignedTransaction } from '../../../../../src/payments/facilitators/self/transaction/settlement-transaction.ts'
import { judgeSettlement } from '../../../../../src/payments/sale/table/settle-outcome.ts'
import { TOKEN } from '../../../../../src/sandbox/addresses.ts'
import type { ChainBackend } from '../../../../../src/sandbox/chain/anvil-backend.ts'
import { callRpc } from '../../../../../src/sandbox/chain/json-rpc.ts'
import { giveEther } from '../../../../../src/sandbox/chain/provision.ts'
import { startAnvil } from '../../../../support/chain-backends.ts'
import {
  cancelCall,
  freshAccount,
  type SignedPayment,
  signPayment,
  termsFor,
  transferCall,
} from '../../../../support/chain-payments.ts'
import { eventually } from '../../../../support/eventually.ts'
import { patientFacilitator } from '../../../../support/patient-facilitator.ts'
import { type RpcProxy, startRpcProxy } from '../../../../support/rpc-proxy.ts'
import { openTempLedger, rowFor, rowIn } from '../../../../support/temp-ledger.ts'

/** Runs until its gas is gone. */
const BURNER = '0x5b600056'
const BURNER_ADDRESS = '0x00000000000000000000000000000000000b0b0b'
/** Returns what a wallet answers that accepts a signature (ERC-1271). */
const ACCEPTS_ALL = '0x631626ba7e60e01b60005260206000f3'
/** Turns of the event loop in which a settlement that has its answer asks its next question. */
const QUIET_TURNS = 20

describe('authorizations that gather', () => {
  const privateKey = generatePrivateKey()
  const account = privateKeyToAccount(privateKey)
  let chain: ChainBackend
  let node: string
  let proxy: RpcProxy
  let payTo: `0x${string}`
  let journal: SettlementJournal
  let signed: SignedTransaction[]
  let facilitator: SelfFacilitator
  let snapshot: unknown
  /** Nothing is signed before it opens. */
  let gate: Promise<unknown> | undefined

  beforeAll(async () => {
    chain = await startAnvil()
    node = chain.rpcUrl ?? ''
    await giveEther(node, account.address)
    proxy = await startRpcProxy(node)
  })
  afterAll(async () => {
    await proxy.stop()
    await chain.stop()
  })
  beforeEach(async () => {
    proxy.treat(() => 'pass')
    proxy.hasSyncBroadcast = false
    proxy.seen.length = 0
    payTo = freshAccount().address
    journal = createMemoryJournal()
    signed = []
    gate = undefined
    facilitator = start()
    snapshot = await callRpc(node, 'evm_snapshot')
  })
  afterEach(async () => {
    facilitator.close()
    await callRpc(node, 'evm_setAutomine', [true])
    await callRpc(node, 'evm_revert', [snapshot])
  })

  const start = (
    change: Partial<
      Pick<
        SelfFacilitatorOptions,
        'timing' | 'batch' | 'onSigned' | 'contractWallets' | 'clock' | 'finalityDepth'
      >
    > = {},
  ) =>
    patientFacilitator({
      rpcUrls: [proxy.url],
      account,
      journal,
      onSigned: async (transaction) => {
        await gate
        signed.push(transaction)
      },
      ...change,
    })
  /** Starts again with a clock that moves by the result alone, since a mined transaction leaves the journal with time. */
  const startWithHeldClock = (change: Parameters<typeof start>[0] = {}) => {
    facilitator.close()
    let now = Date.now()
    facilitator = start({ clock: { ...SYSTEM_CLOCK, now: () => now }, ...change })
    facilitator.close()
    proxy.hasSyncBroadcast = true
    return (ms: number) => {
      now += ms
    }
  }
  const buyers = async (count: number, money = 1_000_000n): Promise<PrivateKeyAccount[]> => {
    const list = Array.from({ length: count }, freshAccount)
    for (const { address } of list) await chain.fund(address, money)
    return list
  }
  const sign = (payer: PrivateKeyAccount) => signPayment(payer, termsFor(payTo))
  const settle = ({ payload, requirements }: SignedPayment) => facilitator.settle(payload, requirements)
  const seen = (method: string) => proxy.seen.filter((request) => request.method === method).length
  const received = () => chain.chainReader.balance(payTo)
  const sizes = () => signed.map(({ call }) => countOf(call))
  const traceOf = ({ transfer }: SignedPayment) =>
    chain.chainReader.trace({ payer: transfer.from, nonce: transfer.nonce, payTo, amount: 1000n })
  const gasOf = async (transactions: readonly SignedTransaction[]) => {
    const receipts = await Promise.all(
      transactions.map(({ hash }) => callRpc(node, 'eth_getTransactionReceipt', [hash])),
    )
    return receipts.reduce(
      (sum: number, receipt) => sum + Number((receipt as { gasUsed?: string } | null)?.gasUsed ?? 0),
      0,
    )
  }
  const stopMining = async () => {
    // A node that mines each transaction and at intervals too goes on unless it first mines each alone.
    await callRpc(node, 'evm_setAutomine', [true])
    await callRpc(node, 'evm_setAutomine', [false])
  }
  const pool = async () => (await callRpc(node, 'txpool_status')) as { readonly pending: string }
  const mine = async () => {
    await callRpc(node, 'evm_setAutomine', [true])
    await callRpc(node, 'evm_mine')
  }
  const spendNonce = async (nonce: number) => {
    const raw = await account.signTransaction({
      ...{ type: 'eip1559', chainId: 8453, nonce, gas: 21_000n, to: account.address },
      ...{ maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n },
    })
    const hash = await callRpc(node, 'eth_sendRawTransaction', [raw])
    await eventually(() => callRpc(node, 'eth_getTransactionReceipt', [hash])).not.toBeNull()
  }
  /** Resolves when every settlement waits for the gate: none has a question at the node any more. */
  const allWait = async () => {
    for (let turns = 0; turns < QUIET_TURNS; turns = proxy.underWay() === 0 ? turns + 1 : 0) await sleep(10)
  }
  /** Settles payments, of which the first leaves alone and the others together, since all wait before it is signed. */
  const settleTogether = (payments: readonly SignedPayment[]) => {
    const [first, ...others] = payments
    const before = seen('eth_estimateGas')
    const outcomes: Promise<Awaited<ReturnType<typeof settle>>>[] = [settle(first as SignedPayment)]
    const firstIsPriced = eventually(async () => seen('eth_estimateGas')).toBe(before + 1)
    gate = firstIsPriced.then(() => {
      outcomes.push(...others.map(settle))
      return allWait()
    })
    return gate.then(() => Promise.all(outcomes))
  }
  /** The same of so many payers. */
  const settleAll = async (count: number) => {
    const payments = await Promise.all((await buyers(count)).map(sign))
    return { payments, outcomes: settleTogether(payments) }
  }

  test('leave as one transaction after the first, and each is found on the chain by its own logs', async () => {
    const { payments, outcomes } = await settleAll(6)
    const results = await outcomes
    expect(results.map(({ success }) => success)).toEqual(Array(6).fill(true))
    expect(sizes()).toEqual([1, 5])
    expect(new Set(results.map(({ transaction }) => transaction))).toEqual(
      new Set(signed.map(({ hash }) => hash)),
    )
    expect(facilitator.settlementState().batches).toEqual(
      new Map([
        [1, 1],
        [5, 1],
      ]),
    )
    const traces = await Promise.all(payments.map(traceOf))
    expect(traces.map((trace) => trace.kind === 'used' && trace.payments.length)).toEqual(Array(6).fill(1))
  })

  test('are as many in one transaction as the setting allows', async () => {
    facilitator.close()
    facilitator = start({ batch: { most: 2 } })
    const { outcomes } = await settleAll(5)
    await outcomes
    expect(sizes()).toEqual([1, 2, 2])
  })

  test('are offered again until the last of them has expired', async () => {
    await stopMining()
    const expiries = [400, 300, 500].map((seconds) => Math.floor(Date.now() / 1000) + seconds)
    const payers = await buyers(3)
    const payments = await Promise.all(
      payers.map((payer, index) =>
        signPayment(payer, termsFor(payTo), { validBefore: String(expiries[index]) }),
      ),
    )
    const settling = settleTogether(payments)
    await eventually(async () => (await journal.load()).map(({ expiresAt }) => expiresAt)).toEqual([
      expiries[0],
      expiries[2],
    ])
    await mine()
    await settling
  })

  test.each([
    ['deployed', 48_000],
    ['sent along', 49_000],
  ] as const)('cost at most so much gas a sale from 32 payers that are new, with an aggregator that is %s: %i', async (form, most) => {
    if (form === 'sent along') await callRpc(node, 'anvil_setCode', [AGGREGATOR, '0x'])
    const { outcomes } = await settleAll(33)
    await outcomes
    const batch = signed.filter(({ call }) => countOf(call) === 32)
    expect(batch.map(({ call }) => call.to)).toEqual([form === 'deployed' ? AGGREGATOR : null])
    expect((await gasOf(batch)) / 32).toBeLessThan(most)
  })

  test('leave without those that would fail, which are answered alone', async () => {
    const payers = await buyers(4)
    const poor = freshAccount()
    const payments = await Promise.all([...payers, poor].map(sign))
    const results = await settleTogether(payments)
    expect(results.map(({ success }) => success)).toEqual([true, true, true, true, false])
    expect(results[4]).toMatchObject({ transaction: '' })
    expect(sizes()).toEqual([1, 3])
  })

  test('are paid pair by pair: one that was canceled meanwhile leaves the others paid', async () => {
    const payers = await buyers(4)
    const payments = await Promise.all(payers.map(sign))
    await stopMining()
    const settling = settleTogether(payments)
    await eventually(async () => sizes()).toEqual([1, 3])
    const [, , canceled] = payments
    const [, , owner] = payers
    const data = await cancelCall(owner as PrivateKeyAccount, canceled?.transfer.nonce as `0x${string}`)
    const from = freshAccount().address
    await giveEther(node, from)
    await callRpc(node, 'anvil_impersonateAccount', [from])
    await callRpc(node, 'eth_sendTransaction', [
      { from, to: TOKEN, data, maxFeePerGas: '0x174876e800', maxPriorityFeePerGas: '0x174876e800' },
    ])
    await mine()
    const results = await settling
    expect(results.map(({ success }) => success)).toEqual([true, true, false, true])
    expect(await received()).toBe(3_000n)
  })

  test('of one payer with money for one of two are not both taken for paid', async () => {
    const [one, other] = await buyers(2)
    const [double] = await buyers(1, 1_000n)
    await stopMining()
    const payments = await Promise.all(
      [one, other, double, double].map((each) => sign(each as PrivateKeyAccount)),
    )
    const settling = settleTogether(payments)
    await eventually(async () => sizes().length).toBeGreaterThan(1)
    await mine()
    const results = await settling
    expect(results.filter(({ success }) => success)).toHaveLength(3)
    expect(await received()).toBe(3_000n)
  })

  test.each([
    'accept',
    'refuse',
  ] as const)('never hold a payer with code (contract wallets: %s), also one that got it in the last minute', async (contractWallets) => {
    facilitator.close()
    facilitator = start({ contractWallets })
    const payers = await buyers(4)
    for (const payer of payers) await settle(await sign(payer))
    signed.length = 0
    const [, wallet] = payers
    await callRpc(node, 'anvil_setCode', [wallet?.address, BURNER])
    const unsent = { success: false }
    const sale = facilitator.settle
    facilitator = { ...facilitator, settle: (...payment) => sale(...payment).catch(() => unsent as never) }
    const results = await settleTogether(await Promise.all(payers.map(sign)))
    expect(results.map(({ success }) => success)).toEqual([true, false, true, true])
    expect(sizes()).toEqual([1, 2])
  })

  test('of 64 payers at most, of whom one has code since the estimate, cost no more gas for it, and are paid at once', async () => {
    facilitator.close()
    facilitator = start({ contractWallets: 'refuse' })
    const payers = await buyers(66)
    const [, , burner] = payers as [unknown, unknown, PrivateKeyAccount]
    await stopMining()
    const sale = facilitator.settle
    const unsent = { success: false }
    facilitator = { ...facilitator, settle: (...payment) => sale(...payment).catch(() => unsent as never) }
    const settling = settleTogether(await Promise.all(payers.map(sign)))
    await eventually(async () => sizes()).toEqual([1, 64, 1])
    await eventually(async () => Number((await pool()).pending)).toBe(3)
    // A delegation (EIP-7702) to code that burns all gas.
    await callRpc(node, 'anvil_setCode', [BURNER_ADDRESS, BURNER])
    await callRpc(node, 'anvil_setCode', [burner.address, `0xef0100${BURNER_ADDRESS.slice(2)}`])
    await callRpc(node, 'evm_mine')
    const paidAtOnce = await received()
    await mine()
    const results = await settling
    expect(results.filter(({ success }) => success)).toHaveLength(65)
    expect(paidAtOnce).toBe(65_000n)
    expect(sizes()).toEqual([1, 64, 1])
    // What is left out costs 8,000 gas; a sale that is paid costs 43,900.
    expect(await gasOf(signed)).toBeLessThan(2 * 69_300 + 63 * 44_000 + 8_000)
  })

  test('of a payer that burns all gas outside the simulation are sent again without it', async () => {
    const payers = await buyers(6)
    const [, , burner] = payers
    await stopMining()
    const settling = settleTogether(await Promise.all(payers.map(sign)))
    await eventually(async () => sizes()).toEqual([1, 5])
    await callRpc(node, 'anvil_setCode', [burner?.address, BURNER])
    await mine()
    const results = await settling
    expect(results.map(({ success }) => success)).toEqual([true, true, false, true, true, true])
    expect(await received()).toBe(5_000n)
  })

  test('of a payer that burns gas only while mined are paid, and it is tried at most once more, alone', async () => {
    const payers = await buyers(5)
    const [, , burner] = payers as [unknown, unknown, PrivateKeyAccount]
    await stopMining()
    const settling = settleTogether(await Promise.all(payers.map(sign)))
    await eventually(async () => sizes()).toEqual([1, 4])
    const isBurning = async (code: string) => callRpc(node, 'anvil_setCode', [burner.address, code])
    let isOver = false
    void settling.finally(() => {
      isOver = true
    })
    while (!isOver) {
      await isBurning(BURNER)
      await callRpc(node, 'evm_mine')
      await isBurning('0x')
      await sleep(100)
    }
    const results = await settling
    expect(results.filter(({ success }) => success)).toHaveLength(4)
    expect(await received()).toBe(4_000n)
    // At most once: it is not sent at all if it burns just when its gas is estimated.
    expect([[], [1]]).toContainEqual(sizes().slice(2))
  })

  test('two by two are cheaper alone where the aggregator is not deployed', async () => {
    await callRpc(node, 'anvil_setCode', [AGGREGATOR, '0x'])
    const { outcomes } = await settleAll(3)
    expect((await outcomes).map(({ success }) => success)).toEqual(Array(3).fill(true))
    expect(sizes()).toEqual([1, 1, 1])
  })

  test('that stand in the signature of a contract wallet are sent themselves', async () => {
    const payers = await buyers(21)
    const payments = await Promise.all(payers.map(sign))
    const [shown, ...hidden] = payments as [SignedPayment, ...SignedPayment[]]
    // Its wallet takes any signature: what it signs is up to it (ERC-1271).
    await callRpc(node, 'anvil_setCode', [shown.transfer.from, ACCEPTS_ALL])
    const signature = concatHex([TOKEN, ...hidden.map(transferCall)])
    await stopMining()
    const wallet = settle({
      ...shown,
      payload: { ...shown.payload, payload: { ...shown.payload.payload, signature } },
    })
    await eventually(async () => sizes()).toEqual([1])
    const others = hidden.map(settle)
    await eventually(async () => sizes().reduce((sum, size) => sum + size, 0)).toBe(21)
    await mine()
    expect((await Promise.all([wallet, ...others])).map(({ success }) => success)).toEqual(
      Array(21).fill(true),
    )
    expect(await received()).toBe(21_000n)
  })

  test('are replaced at a higher fee as they are, and each learns the new hash', async () => {
    facilitator.close()
    facilitator = start({ timing: { replaceMs: 300 } })
    await stopMining()
    const { outcomes } = await settleAll(4)
    await eventually(
      async () => signed.filter(({ replaces }) => replaces !== undefined).length,
    ).toBeGreaterThan(0)
    await mine()
    const results = await outcomes
    expect(results.map(({ success }) => success)).toEqual(Array(4).fill(true))
    const mined = await Promise.all(
      signed.map(async ({ hash }) =>
        (await callRpc(node, 'eth_getTransactionReceipt', [hash])) === null ? null : hash,
      ),
    )
    expect(mined).toEqual(expect.arrayContaining(results.map(({ transaction }) => transaction)))
  })

  test('are offered again by another process after a crash, all of them', async () => {
    facilitator.close()
    facilitator = start({ timing: { confirmMs: 100 } })
    proxy.treat(({ method }) => (method === 'eth_sendRawTransaction' ? 'drop' : 'pass'))
    const { outcomes } = await settleAll(5)
    await outcomes
    proxy.treat(() => 'pass')
    const before = signed.length
    facilitator.close()
    facilitator = start({ timing: { replaceMs: 1 } })
    await eventually(async () => {
      await facilitator.maintain()
      return [await received(), (await journal.load()).length]
    }).toEqual([5_000n, 0])
    expect(signed).toHaveLength(before)
  })

  test('stay written down while only one of them is sent again', async () => {
    facilitator.close()
    facilitator = start({ timing: { confirmMs: 100 } })
    proxy.treat(({ method }) => (method === 'eth_sendRawTransaction' ? 'drop' : 'pass'))
    const { payments, outcomes } = await settleAll(3)
    await outcomes
    const [first] = signed
    for (const later of [0, 1]) await spendNonce((first?.nonce ?? 0) + later)
    facilitator.close()
    facilitator = start({ timing: { confirmMs: 100 } })
    await settle(payments[1] as SignedPayment)
    expect(sizes()).toEqual([1, 2, 1])
    expect((await journal.load()).map(({ hashes }) => hashes)).toEqual(signed.map(({ hash }) => [hash]))
  })

  test('are signed again under the next nonce if another program took theirs, and are offered again under that', async () => {
    facilitator.close()
    facilitator = start({ timing: { confirmMs: 100 } })
    proxy.treat(({ method }) => (method === 'eth_sendRawTransaction' ? 'drop' : 'pass'))
    const { outcomes } = await settleAll(3)
    await outcomes
    const [first] = signed
    await spendNonce(first?.nonce ?? 0)
    await spendNonce((first?.nonce ?? 0) + 1)
    facilitator.close()
    facilitator = start({ timing: { replaceMs: 1 } })
    await eventually(async () => {
      await facilitator.maintain().catch(() => {})
      return (await journal.load()).map(
        ({ raw, nonce }) =>
          nonce === parseTransaction(raw as `0x02${string}`).nonce && nonce > (first?.nonce ?? 0) + 1,
      )
    }).toEqual([true, true])
    expect(await received()).toBe(0n)
    proxy.treat(() => 'pass')
    await eventually(async () => {
      await facilitator.maintain().catch(() => {})
      return [await received(), (await journal.load()).length]
    }).toEqual([3_000n, 0])
  })

  test('are offered again if a reorganisation drops them before they left the journal', async () => {
    const payers = await buyers(4)
    const funded = await callRpc(node, 'evm_snapshot')
    const payments = await Promise.all(payers.map(sign))
    await Promise.all(payments.map(settle))
    expect(await received()).toBe(4_000n)
    await callRpc(node, 'evm_revert', [funded])
    expect(await received()).toBe(0n)
    facilitator.close()
    facilitator = start({ timing: { replaceMs: 1 } })
    await eventually(async () => {
      await facilitator.maintain()
      return received()
    }).toBe(4_000n)
  })

  test('are offered again by the same process if a block that it has seen the receipt of is dropped', async () => {
    const pass = startWithHeldClock()
    const payers = await buyers(4)
    const funded = await callRpc(node, 'evm_snapshot')
    const payments = await Promise.all(payers.map(sign))
    const results = await Promise.all(payments.map(settle))
    expect(results.map(({ success }) => success)).toEqual(Array(4).fill(true))
    await callRpc(node, 'evm_revert', [funded])
    expect(await received()).toBe(0n)
    await eventually(async () => {
      pass(10_000)
      await facilitator.maintain()
      return received()
    }).toBe(4_000n)
  })

  test('are paid in the end if a preconfirmed block is dropped, though others were booked and sold since', async () => {
    const pass = startWithHeldClock({ finalityDepth: 12n })
    const payers = await buyers(5)
    const funded = await callRpc(node, 'evm_snapshot')
    const [last, ...payments] = await Promise.all(payers.map(sign))
    const results = await settleTogether(payments)
    expect(results.map(({ success }) => success)).toEqual(Array(4).fill(true))
    pass(20_000)
    await facilitator.maintain()
    await settle(last as SignedPayment)
    expect(await received()).toBe(5_000n)
    await callRpc(node, 'evm_revert', [funded])
    expect(await received()).toBe(0n)
    await eventually(async () => {
      pass(10_000)
      await facilitator.maintain()
      return received()
    }).toBe(5_000n)
    await callRpc(node, 'anvil_mine', ['0xc', '0x1'])
    await facilitator.maintain()
    expect([await journal.load(), facilitator.settlementState().pending]).toEqual([[], 0])
  })

  test.each([
    ['the first log of each pair', (logs: readonly object[]) => logs.filter((_, index) => index % 2 === 0)],
    ['no logs', () => []],
    ['nothing where the logs belong', () => undefined],
  ])('are never denied by a receipt with %s, and none is paid twice', async (_what, part) => {
    facilitator.close()
    facilitator = start({ timing: { confirmMs: 2_000 }, contractWallets: 'refuse' })
    proxy.treat(({ method }) =>
      method === 'eth_getTransactionReceipt'
        ? {
            rewrite: (receipt) =>
              receipt === null
                ? null
                : { ...(receipt as object), logs: part((receipt as { logs: readonly object[] }).logs) },
          }
        : 'pass',
    )
    const payments = await Promise.all((await buyers(4)).map(sign))
    const results = await settleTogether(payments)
    const outcomes = results.map((reply, index) =>
      judgeSettlement(reply, termsFor(payTo), (payments[index] as SignedPayment).transfer.from.toLowerCase()),
    )
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(4).fill('doubtful'))
    expect(await received()).toBe(4_000n)
    expect(sizes()).toEqual([1, 3])
  })

  test('are on their rows under one hash before the node sees it; one that is not under way is left out', async () => {
    const { ledger, close } = await openTempLedger()
    try {
      const persist = persistTransactionHash({ ledger, network: 'eip155:8453', token: TOKEN })
      facilitator.close()
      facilitator = start({
        onSigned: async (transaction) => {
          await gate
          await persist(transaction)
          signed.push(transaction)
        },
      })
      const payments = await Promise.all((await buyers(5)).map(sign))
      const rows: PaymentRow[] = []
      for (const payment of payments) {
        const state = payment === payments[3] ? 'refused' : 'settling'
        rows.push(await rowIn(ledger, rowFor(payment), { state, owner: 'me', leaseUntil: 9 }))
      }
      const found: Promise<(PaymentRow | null)[]>[] = []
      proxy.treat(({ method }) => {
        if (method === 'eth_sendRawTransaction') found.push(Promise.all(rows.map((row) => ledger.find(row))))
        return 'pass'
      })
      const sale = facilitator.settle
      const unsent = { success: false }
      facilitator = { ...facilitator, settle: (...payment) => sale(...payment).catch(() => unsent as never) }
      const results = await settleTogether(payments)
      expect(results.map(({ success }) => success)).toEqual([true, true, true, false, true])
      expect(sizes()).toEqual([1, 3])
      const [, atBatch] = await Promise.all(found)
      const hash = signed[1]?.hash
      expect(atBatch?.map((row) => row?.transaction)).toEqual([signed[0]?.hash, hash, hash, null, hash])
      expect(await received()).toBe(4_000n)
    } finally {
      await close()
    }
  })

  test('are found by the answer to the broadcast where the node gives the receipt with it', async () => {
    proxy.hasSyncBroadcast = true
    proxy.treat(({ method }) => (method === 'eth_getTransactionReceipt' ? { result: null } : 'pass'))
    const { outcomes } = await settleAll(5)
    expect((await outcomes).map(({ success }) => success)).toEqual(Array(5).fill(true))
    expect(seen('eth_sendRawTransactionSync')).toBe(2)
  })

  test.each([
    ['an error', { error: { code: 4, message: 'timeout' } }],
    ['a refusal in words of its own', { error: { code: -32600, message: 'Unsupported method' } }],
    ['a limit', 'limit'],
    ['no answer', 'lose-answer'],
  ] as const)('count as sent, and are handed over plainly, if the broadcast for the receipt gets %s', async (_, how) => {
    proxy.hasSyncBroadcast = true
    proxy.treat(({ method }) => (method === 'eth_sendRawTransactionSync' ? how : 'pass'))
    const { outcomes } = await settleAll(3)
    expect((await outcomes).map(({ success }) => success)).toEqual(Array(3).fill(true))
    expect(await received()).toBe(3_000n)
  })
})
