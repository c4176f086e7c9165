/** Which transactions one account signs, journals and offers again, over a scripted node and a clock that a test drives. */

import {
  type Hex,
  keccak256,
  parseTransaction,
  TransactionNotFoundError,
  type TransactionReceipt,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { ContractCall } from '../../../../../src/payments/chain/contract-call.ts'
import { callOfAll, partsOf } from '../../../../../src/payments/chain/settlement-calls.ts'
import type { QueuedCall } from '../../../../../src/payments/facilitators/self/queue/queued-call.ts'
import type { PendingTransaction } from '../../../../../src/payments/facilitators/self/queue/settlement-journal.ts'
import {
  createSettlementQueue,
  type SettlementQueueOptions,
} from '../../../../../src/payments/facilitators/self/queue/settlement-queue.ts'
import type { SignedTransaction } from '../../../../../src/payments/facilitators/self/transaction/settlement-transaction.ts'
import {
  NO_TREASURY,
  type Treasury,
} from '../../../../../src/payments/facilitators/self/treasury/treasury.ts'
import {
  AMOUNT,
  CALLED_TOKEN,
  logsOf,
  nonceOf,
  payerOf,
  settlement,
} from '../../../../support/settlement-calls.ts'

const ACCOUNT = privateKeyToAccount(nonceOf(7))
const SENDER = ACCOUNT.address.toLowerCase()
const GAS = 100_000n
const FEES = { maxFeePerGas: 100n, maxPriorityFeePerGas: 10n }
/** Wei of each call's data. */
const DATA = 5n
const WORST = GAS * FEES.maxFeePerGas + DATA
const REPLACE_MS = 6_000
const CONFIRM_MS = 1_000
/** UTC seconds of the chain, far behind the clock of this process. */
const CHAIN_TIME = 5_000

/** Lets what is ready run. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

interface Given {
  readonly maxCost?: bigint
  readonly hasTreasury?: boolean
  readonly finalityDepth?: bigint
  readonly hasReserve?: boolean
  readonly broadcasts?: 'answered' | 'held'
}

function bench({ maxCost, hasTreasury = true, hasReserve = true, finalityDepth = 0n }: Given = {}) {
  const node = {
    at: 1_700_000_000_000,
    mined: 0,
    /** The pending count. */
    taken: 0,
    balance: 10n ** 18n,
    fees: FEES,
    time: CHAIN_TIME,
    head: 100,
    known: new Map<Hex, ContractCall>(),
    receipts: new Map<Hex, TransactionReceipt>(),
    /** Methods that are not answered. */
    down: [] as string[],
    /** What happens when the node is asked for a transaction. */
    onLookUp: () => {},
  }
  let entries: readonly PendingTransaction[] = []
  let failsToSave = false
  const [broadcast, signed, said] = [[] as Hex[], [] as SignedTransaction[], [] as string[]]
  const ask = async <T>(method: string, answer: () => T): Promise<T> => {
    if (node.down.includes(method)) throw new Error('no answer')
    return answer()
  }
  const client = {
    getTransactionCount: ({ address, blockTag }: { address: Hex; blockTag: 'latest' | 'pending' }) =>
      ask(blockTag, () => {
        expect(address).toBe(ACCOUNT.address)
        return blockTag === 'latest' ? node.mined : node.taken
      }),
    getBalance: () => ask('balance', () => node.balance),
    estimateFeesPerGas: () => ask('fees', () => node.fees),
    getBlock: () => ask('block', () => ({ number: BigInt(node.head), timestamp: BigInt(node.time) })),
    getTransaction: ({ hash }: { hash: Hex }) =>
      ask('transaction', () => {
        const call = node.known.get(hash)
        node.onLookUp()
        if (call === undefined) throw new TransactionNotFoundError({ hash })
        return { to: call.to, input: call.data }
      }),
    getTransactionReceipt: ({ hash }: { hash: Hex }) =>
      ask('receipt', () => {
        const receipt = node.receipts.get(hash)
        if (receipt === undefined) throw new Error('not found')
        return receipt
      }),
    sendRawTransactionSync: async () => {
      throw Object.assign(new Error('no such method'), { code: -32601 })
    },
    sendRawTransaction: async ({ serializedTransaction }: { serializedTransaction: Hex }) => {
      said.push('broadcast')
      broadcast.push(serializedTransaction)
    },
  }
  const booked: object[] = []
  let refusesToBook = false
  const treasury: Treasury = {
    reserve: async (name, purpose, worst) => void said.push(`reserve ${name} ${purpose.kind} ${worst}`),
    release: async (name, { transactionHash }, shares) => {
      if (refusesToBook) throw new Error('the store is down')
      booked.push({ name, transactionHash, shares })
    },
    move: async (from, to) => {
      said.push(`move ${from} ${to}`)
      return hasReserve
    },
    forget: async (name) => void said.push(`forget ${name}`),
    mayAct: async () => 'admitted',
    maintain: async () => void said.push('maintain'),
    state: () => ({ dailyLoss: 1n, isSpent: true, isBelowCost: true, gasPerSale: () => 2 }),
  }
  const options: SettlementQueueOptions = {
    client: client as never,
    account: ACCOUNT,
    chainId: 8453,
    finalityDepth,
    token: CALLED_TOKEN,
    onSigned: (transaction) => {
      said.push('sign')
      signed.push(transaction)
    },
    clock: {
      now: () => node.at,
      monotonicMs: () => node.at,
      sleep: async (ms) => {
        node.at += ms
        await turn()
      },
    },
    journal: {
      look: async () => entries,
      load: async () => entries,
      save: async (pending) => {
        if (failsToSave) throw new Error('the store is down')
        await turn()
        said.push('save')
        entries = pending
      },
    },
    dataFee: {
      before: async () => ask('data fee', () => DATA),
      costOf: async () => 0n,
    },
    timing: { confirmMs: CONFIRM_MS, lookMs: 100, replaceMs: REPLACE_MS },
    ...(maxCost === undefined ? {} : { maxCost }),
    treasury: hasTreasury ? treasury : NO_TREASURY,
  }
  const queue = createSettlementQueue(options)
  const queued = (call: ContractCall, limits: Partial<QueuedCall['limits']> = {}): QueuedCall => {
    const hash = Promise.withResolvers<Hex>()
    hash.promise.catch(() => {})
    return {
      call,
      limits: {
        purpose: { kind: 'sale', payers: [] },
        deadline: node.at,
        expiresAt: CHAIN_TIME + 60,
        ...limits,
      },
      hash,
    }
  }
  const dispatch = (...calls: readonly QueuedCall[]) => queue.dispatch(calls, { gas: GAS, fees: FEES })
  /** Sends settlements of these payers as one transaction and returns their hash. */
  const send = async (...payers: readonly number[]): Promise<Hex> => {
    const calls = payers.map((payer) => queued(settlement(payer)))
    await (await dispatch(...calls)).broadcast
    return (calls[0] as QueuedCall).hash.promise
  }
  /** A journaled transaction with these calls, signed a while ago. */
  const journaled = async (
    nonce: number,
    call: ContractCall,
    { sentAt = node.at - REPLACE_MS, expiresAt = CHAIN_TIME + 60 } = {},
  ): Promise<PendingTransaction> => {
    const raw = await ACCOUNT.signTransaction({
      ...{ type: 'eip1559', chainId: 8453, nonce, gas: GAS, ...FEES, ...call },
    })
    const entry = { nonce, hashes: [keccak256(raw)], raw, sentAt, expiresAt }
    entries = [...entries, entry]
    return entry
  }
  const mine = (hash: Hex, payers: readonly number[] = [], to: Hex = CALLED_TOKEN) => {
    const logs = payers.flatMap((payer, index) => logsOf(payer, index * 2))
    const receipt = {
      ...{ transactionHash: hash, to, logs, status: 'success', blockNumber: BigInt(node.head) },
    } as unknown as TransactionReceipt
    node.receipts.set(hash, receipt)
    return receipt
  }
  return {
    ...{ node, queue, queued, dispatch, send, journaled, mine, broadcast, signed, said, booked },
    entries: () => entries,
    nonces: () => entries.map(({ nonce }) => nonce),
    set: (pending: readonly PendingTransaction[]) => {
      entries = pending
    },
    saveFails: (fails: boolean) => {
      failsToSave = fails
    },
    bookingFails: (fails: boolean) => {
      refusesToBook = fails
    },
  }
}

const hashOf = ({ hashes }: PendingTransaction) => hashes.at(-1) as Hex
const contentOf = (raw: Hex | undefined) => {
  const {
    nonce = 0,
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas,
    to,
    data,
    value,
  } = parseTransaction(raw as `0x02${string}`)
  return { nonce, gas, maxFeePerGas, maxPriorityFeePerGas, to, data, value }
}
const cancellation = (nonce: number, maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) => ({
  ...{ nonce, gas: 21_000n, maxFeePerGas, maxPriorityFeePerGas },
  ...{ to: SENDER, data: undefined, value: undefined },
})
const REPLACED = { maxFeePerGas: 126n, maxPriorityFeePerGas: 13n }

describe('a transaction', () => {
  test.each([
    ['all that the node has mined', { mined: 4 }, [], 4],
    ['all that the node has, mined or not', { mined: 4, taken: 6 }, [], 6],
    ['all that is journaled', { mined: 4, taken: 6 }, [8, 7], 9],
    ['what is mined where the node is behind with what is pending', { mined: 5, taken: 3 }, [], 5],
  ])('has the nonce after %s', async (_what, counts, pending, nonce) => {
    const { node, send, journaled, broadcast, entries } = bench()
    Object.assign(node, counts)
    for (const each of pending) await journaled(each, settlement(10 + each))
    await send(1)
    expect(contentOf(broadcast[0])).toMatchObject({ nonce, gas: GAS, ...FEES, to: CALLED_TOKEN })
    expect(entries().at(-1)).toMatchObject({ nonce })
  })

  test('is reserved, signed, journaled and broadcast in this order, under the purpose of its first call', async () => {
    const { send, said, signed, entries, broadcast, node } = bench()
    const hash = await send(1, 2)
    expect(said).toEqual([`reserve ${SENDER}/0 sale ${WORST}`, 'sign', 'save', 'broadcast'])
    expect(signed).toMatchObject([{ hash, nonce: 0, replaces: undefined }])
    expect(entries()).toEqual([
      { nonce: 0, hashes: [hash], raw: broadcast[0], sentAt: node.at, expiresAt: CHAIN_TIME + 60 },
    ])
    expect(keccak256(broadcast[0] as Hex)).toBe(hash)
  })

  test('is reserved with the dearest replacement that may follow it', async () => {
    const maxCost = 3n * WORST
    const { send, said, journaled, node, queue, broadcast } = bench({ maxCost })
    await send(1, 2)
    expect(said[0]).toBe(`reserve ${SENDER}/0 sale ${2n * maxCost}`)
    const late = await journaled(0, settlement(3))
    node.known.set(hashOf(late), settlement(3))
    for (let turns = 0; turns < 60; turns += 1) {
      node.at += REPLACE_MS
      await queue.maintain()
      node.known.set(keccak256(broadcast.at(-1) as Hex), settlement(3))
    }
    const costs = broadcast
      .map((raw) => contentOf(raw))
      .map(({ gas = 0n, maxFeePerGas = 0n }) => gas * maxFeePerGas)
    expect(costs.every((each) => each + DATA <= 2n * maxCost)).toBe(true)
    expect(said.filter((each) => each.startsWith('reserve'))).toHaveLength(1)
  })

  test('ends with the last of its authorizations', async () => {
    const { dispatch, queued, entries } = bench()
    await dispatch(
      queued(settlement(1), { expiresAt: 7 }),
      queued(settlement(2), { expiresAt: 9 }),
      queued(settlement(3), { expiresAt: 8 }),
    )
    expect(entries()[0]?.expiresAt).toBe(9)
  })

  test('is signed while the account can pay for it and for all that is pending', async () => {
    const { node, send, journaled, signed } = bench()
    for (const nonce of [1, 2]) await journaled(nonce, settlement(nonce))
    node.balance = 2n * GAS * FEES.maxFeePerGas + WORST - 1n
    await expect(send(3)).rejects.toThrow('cannot pay for the gas')
    expect(signed).toEqual([])
    node.balance += 1n
    await send(3)
    expect(signed).toHaveLength(1)
  })

  test('is refused while 64 are pending; those that are mined do not count', async () => {
    const { node, send, journaled, set, entries } = bench()
    const one = await journaled(1, settlement(1))
    set(Array.from({ length: 64 }, (_, index) => ({ ...one, nonce: index + 1 })))
    await expect(send(2)).rejects.toThrow('too many settlements are pending')
    node.mined = 2
    await send(2)
    expect(entries().at(-1)?.nonce).toBe(65)
  })

  test('is not signed past the deadline of its call', async () => {
    const { dispatch, queued, node, signed } = bench()
    const [late, timely] = [
      queued(settlement(1), { deadline: node.at - 1 }),
      queued(settlement(2), { deadline: node.at }),
    ]
    await dispatch(late, timely)
    await expect(late.hash.promise).rejects.toThrow('out of time')
    expect(signed.map(({ call }) => call)).toEqual([settlement(2)])
    await dispatch(queued(settlement(1), { deadline: node.at - 1 }))
    expect(signed).toHaveLength(1)
  })

  test('that is pending carries its call once: a repeat gets its newest hash', async () => {
    const { send, signed, journaled, set, dispatch, queued } = bench()
    const entry = await journaled(0, callOfAll([settlement(1), settlement(2)], 'deployed') as ContractCall)
    set([{ ...entry, hashes: [nonceOf(1), nonceOf(2)] }])
    expect(await send(2)).toBe(nonceOf(2))
    expect(signed).toEqual([])
    const [known, fresh] = [queued(settlement(1)), queued(settlement(3))]
    await dispatch(known, fresh)
    expect(await known.hash.promise).toBe(nonceOf(2))
    expect(signed.map(({ call }) => call)).toEqual([settlement(3)])
    expect(await fresh.hash.promise).toBe(signed[0]?.hash)
  })

  test('that was seen mined without the payment is followed by another, and both are booked', async () => {
    const { send, signed, mine, queue, node, nonces, booked } = bench()
    const first = await send(1)
    mine(first)
    await queue.confirm(first, node.at + 500)
    Object.assign(node, { mined: 1, taken: 1 })
    expect(await send(1)).not.toBe(first)
    expect(signed.map(({ nonce }) => nonce)).toEqual([0, 1])
    expect(nonces()).toEqual([0, 1])
    mine(signed[1]?.hash as Hex, [1])
    node.mined = 2
    await queue.maintain()
    expect(nonces()).toEqual([])
    expect(booked.slice(1)).toMatchObject([{ name: `${SENDER}/0` }, { name: `${SENDER}/1` }])
  })

  test('that may have been journaled counts as sent, and is not broadcast', async () => {
    const { send, saveFails, broadcast, signed } = bench()
    saveFails(true)
    expect(await send(1)).toBe(signed[0]?.hash)
    expect(broadcast).toEqual([])
  })

  test('stays in the journal until the block that it was mined in is final, and is asked about at its end', async () => {
    const { send, mine, node, entries, queue, booked } = bench({ finalityDepth: 12n })
    const hash = await send(1)
    mine(hash, [1])
    Object.assign(node, { mined: 1, taken: 1 })
    await queue.maintain()
    expect(entries()).toMatchObject([{ hashes: [hash], minedIn: 100 }])
    expect([queue.state().pending, booked.length]).toEqual([0, 1])
    node.head += 11
    node.down = ['receipt', 'transaction']
    node.at += 60_000
    await queue.maintain()
    expect(entries()).toMatchObject([{ minedIn: 100 }])
    node.down = []
    node.head += 1
    await queue.maintain()
    expect(entries()).toEqual([])
  })

  test('is offered again if a reorganisation takes its block back, however long after its receipt was booked', async () => {
    const { send, mine, node, entries, queue, broadcast } = bench({ finalityDepth: 12n })
    const hash = await send(1)
    mine(hash, [1])
    Object.assign(node, { mined: 1, taken: 1 })
    await queue.confirm(hash, node.at + 500)
    await queue.maintain()
    node.at += 20_000
    await send(2)
    node.receipts.clear()
    Object.assign(node, { mined: 0, taken: 0, head: 110 })
    await queue.maintain()
    expect([broadcast[2], broadcast.length]).toEqual([broadcast[0], 3])
    expect(entries().map(({ minedIn }) => minedIn)).toEqual([undefined, undefined])
    // It is mined in a later block, which has to become final in its turn.
    mine(hash, [1])
    node.mined = 1
    await queue.maintain()
    expect(entries()[1]).toMatchObject({ hashes: [hash], minedIn: 110 })
  })

  test('stays in the journal while the node does not count it as mined', async () => {
    const { send, mine, node, nonces, queue } = bench()
    const hash = await send(1)
    mine(hash, [1])
    await queue.confirm(hash, node.at + 500)
    await turn()
    node.at += 60_000
    await send(2)
    expect(nonces()).toEqual([0, 1])
  })

  test('stays in the journal while its cost could not be booked', async () => {
    const { send, mine, node, nonces, queue, bookingFails } = bench()
    const hash = await send(1)
    mine(hash, [1])
    bookingFails(true)
    await queue.confirm(hash, node.at + 500)
    Object.assign(node, { mined: 1, taken: 1, at: node.at + 60_000 })
    await send(2)
    expect(nonces()).toEqual([0, 1])
  })

  test('is counted by the number of its calls', async () => {
    const { send, queue } = bench()
    for (const payers of [[1], [2], [3, 4]]) await send(...payers)
    expect(queue.state()).toMatchObject({ pending: 3, isTooExpensive: false })
    expect([...queue.state().batches]).toEqual([
      [1, 2],
      [2, 1],
    ])
  })

  test('costs no more than the operator allows, its data included', async () => {
    const { send, broadcast, node, queue } = bench({ maxCost: GAS * 95n + DATA })
    await send(1)
    expect(contentOf(broadcast[0])).toMatchObject({ maxFeePerGas: 95n, maxPriorityFeePerGas: 10n })
    const strict = bench({ maxCost: GAS * 84n + DATA })
    await expect(strict.send(1)).rejects.toThrow('SETTLEMENT_MAX_COST_USD')
    expect(strict.signed).toEqual([])
    expect([queue.state().isTooExpensive, strict.queue.state().isTooExpensive]).toEqual([false, true])
    strict.node.fees = { maxFeePerGas: 50n, maxPriorityFeePerGas: 10n }
    strict.node.down = ['fees']
    await strict.queue.maintain()
    expect(strict.queue.state().isTooExpensive).toBe(true)
    strict.node.down = []
    await strict.queue.maintain()
    expect(strict.queue.state().isTooExpensive).toBe(false)
    expect(node.at).toBeGreaterThan(0)
  })

  test('goes on after a pause at the price at which the sale that began it would be taken', async () => {
    const { send, node, queue } = bench({ maxCost: GAS * 84n + DATA })
    await expect(send(1)).rejects.toThrow('SETTLEMENT_MAX_COST_USD')
    for (const [maxFeePerGas, isTooExpensive] of [
      [100n, true],
      [99n, false],
    ] as const) {
      node.fees = { maxFeePerGas, maxPriorityFeePerGas: 10n }
      await queue.maintain()
      expect(queue.state()).toMatchObject({ isTooExpensive })
    }
  })
})

describe('waiting for a receipt', () => {
  test('ends after the time that is given for it, or at the deadline of the sale if that is sooner', async () => {
    for (const [deadline, waited] of [
      [60_000, CONFIRM_MS],
      [300, 300],
    ] as const) {
      const { send, queue, node } = bench()
      const hash = await send(1)
      const begun = node.at
      await expect(queue.confirm(hash, begun + deadline)).rejects.toThrow('no receipt in time')
      expect(node.at - begun).toBeGreaterThanOrEqual(waited)
      expect(node.at - begun).toBeLessThan(waited + 150)
    }
  })

  test('ends as a fault where the nonce was given up, and with the receipt otherwise', async () => {
    const { send, queue, node, mine } = bench()
    const [given, paid] = [await send(1), await send(2)]
    mine(given, [], ACCOUNT.address)
    await expect(queue.confirm(given, node.at + 900)).rejects.toThrow('given up')
    const receipt = mine(paid, [2])
    expect(await queue.confirm(paid, node.at + 900)).toEqual(receipt)
  })
})

describe('what was mined', () => {
  test('is booked under its nonce, each payer with what it brought in, and leaves the journal', async () => {
    const { journaled, mine, node, queue, booked, nonces, broadcast } = bench()
    const entry = await journaled(
      3,
      callOfAll([settlement(1), settlement(2), settlement(3)], 'deployed') as ContractCall,
    )
    mine(hashOf(entry), [1, 3])
    node.mined = 4
    await queue.maintain()
    const shares = [AMOUNT, 0n, AMOUNT].map((amount, index) => ({ payer: payerOf(index + 1), amount }))
    expect(booked).toEqual([{ name: `${SENDER}/3`, transactionHash: hashOf(entry), shares }])
    expect([nonces(), broadcast, queue.state().pending]).toEqual([[], [], 0])
  })

  test('under an earlier hash is booked by the call that the node has under that', async () => {
    const { journaled, mine, node, queue, booked, set } = bench()
    const entry = await journaled(3, { to: ACCOUNT.address, data: '0x' })
    const earlier = nonceOf(9)
    set([{ ...entry, hashes: [earlier, hashOf(entry)] }])
    node.known.set(earlier, settlement(1))
    mine(earlier, [1])
    node.mined = 4
    await queue.maintain()
    const shares = [{ payer: payerOf(1), amount: AMOUNT }]
    expect(booked).toEqual([{ name: `${SENDER}/3`, transactionHash: earlier, shares }])
  })

  test('stays in the journal while it cannot be booked, and is not offered again', async () => {
    const { journaled, mine, node, queue, nonces, bookingFails, broadcast, signed } = bench()
    const [one, two] = [await journaled(3, settlement(1)), await journaled(4, settlement(2))]
    for (const each of [one, two]) mine(hashOf(each))
    node.mined = 5
    bookingFails(true)
    await queue.maintain()
    expect([nonces(), broadcast, signed]).toEqual([[3, 4], [], []])
    bookingFails(false)
    await queue.maintain()
    expect(nonces()).toEqual([])
  })

  test('needs no account of what it cost', async () => {
    const { journaled, mine, node, queue, nonces } = bench({ hasTreasury: false })
    mine(hashOf(await journaled(3, settlement(1))))
    node.mined = 4
    await queue.maintain()
    expect(nonces()).toEqual([])
    expect(queue.state()).toMatchObject({ dailyLoss: 0n, isSpent: false, isBelowCost: false })
    expect(queue.state().gasPerSale()).toBeNull()
  })
})

describe('a transaction that lost its nonce to another program', () => {
  const lost = async (change: Partial<PendingTransaction> = {}, given: Given = {}) => {
    const stage = bench(given)
    const entry = await stage.journaled(3, settlement(1))
    const old = { ...entry, ...change }
    stage.set([old])
    Object.assign(stage.node, { mined: 4, taken: 4 })
    return { ...stage, old }
  }

  test('is signed again under the next one at the fees of the moment, and journaled before it is broadcast', async () => {
    const { queue, node, old, signed, said, entries, broadcast } = await lost()
    node.fees = { maxFeePerGas: 40n, maxPriorityFeePerGas: 4n }
    await queue.maintain()
    expect(contentOf(broadcast[0])).toMatchObject({
      ...{ nonce: 4, gas: GAS, maxFeePerGas: 40n, maxPriorityFeePerGas: 4n, ...settlement(1) },
    })
    const [again] = signed
    expect(signed).toMatchObject([{ nonce: 4, replaces: hashOf(old) }])
    const hashes = [hashOf(old), again?.hash]
    expect(entries()).toEqual([{ ...old, nonce: 4, raw: broadcast[0], hashes, sentAt: node.at }])
    expect(said.slice(0, 6)).toEqual([
      ...['maintain', `move ${SENDER}/3 ${SENDER}/4`, 'sign', 'save', 'broadcast', 'save'],
    ])
    expect(broadcast).toHaveLength(1)
  })

  test('is reserved for again if it has no reserve left', async () => {
    const { queue, said } = await lost({}, { hasReserve: false, maxCost: 2n * WORST })
    await queue.maintain()
    expect(said).toContain(`reserve ${SENDER}/4 upkeep ${2n * WORST}`)
  })

  test.each([
    ['what the node has', 9, 5, 9],
    ['what is journaled', 4, 6, 7],
  ])('goes behind %s', async (_what, taken, journaledNonce, nonce) => {
    const { queue, node, journaled, signed } = await lost()
    node.taken = taken
    await journaled(journaledNonce, settlement(2), { sentAt: node.at })
    await queue.maintain()
    expect(signed.map((each) => each.nonce)).toEqual([nonce])
  })

  test.each<[string, (stage: Awaited<ReturnType<typeof lost>>) => void]>([
    ['it is not late', ({ node, set, old }) => set([{ ...old, sentAt: node.at - REPLACE_MS + 1 }])],
    ['the node has it', ({ node, old }) => node.known.set(hashOf(old), settlement(1))],
    ['the node does not say whether it has it', ({ node }) => node.down.push('transaction')],
    [
      'a node that is behind is asked last',
      ({ node }) => {
        node.onLookUp = () => {
          node.mined = 3
        }
      },
    ],
    ['the fees are not known', ({ node }) => node.down.push('fees')],
    ['the fee for its data is not known', ({ node }) => node.down.push('data fee')],
  ])('stays as it is while %s', async (_what, change) => {
    const stage = await lost()
    change(stage)
    const before = stage.entries()
    await stage.queue.maintain().catch(() => {})
    expect(stage.entries()).toEqual(before)
    expect([stage.signed, stage.broadcast]).toEqual([[], []])
  })

  test('stays while it is too expensive', async () => {
    const { queue, entries, old, signed } = await lost({}, { maxCost: GAS * 10n })
    await queue.maintain()
    expect([entries(), signed]).toEqual([[old], []])
  })

  test('is dropped once its authorization has ended by the clock of the chain, and not before', async () => {
    for (const [expiresAt, times] of [
      [CHAIN_TIME, 0],
      [CHAIN_TIME + 1, 1],
    ] as const) {
      const { queue, nonces, signed, said } = await lost({ expiresAt })
      await queue.maintain()
      expect(signed).toHaveLength(times)
      expect(nonces()).toEqual(times === 0 ? [] : [4])
      expect(said).toContain(times === 0 ? `forget ${SENDER}/3` : `move ${SENDER}/3 ${SENDER}/4`)
    }
  })

  test('is dropped if it only gave the nonce up, or if all its calls are pending elsewhere', async () => {
    const cancel = bench()
    await cancel.journaled(3, { to: ACCOUNT.address, data: '0x' })
    cancel.node.mined = 4
    await cancel.queue.maintain()
    expect([cancel.nonces(), cancel.signed]).toEqual([[], []])
    for (const [calls, expected] of [
      [[1, 2], [4]],
      [
        [1, 2, 3],
        [4, 5],
      ],
    ]) {
      const stage = bench()
      await stage.journaled(
        3,
        callOfAll(
          (calls as number[]).map((payer) => settlement(payer)),
          'deployed',
        ) as ContractCall,
      )
      const other = callOfAll([settlement(2), settlement(1)], 'deployed') as ContractCall
      await stage.journaled(4, other, { sentAt: stage.node.at })
      Object.assign(stage.node, { mined: 4, taken: 5 })
      await stage.queue.maintain()
      expect(stage.nonces()).toEqual(expected)
    }
  })

  test('holds up no other: each is signed again, and one that is mined is booked', async () => {
    const { journaled, queue, node, signed, nonces, mine, booked, said } = bench()
    await journaled(3, settlement(1))
    mine(hashOf(await journaled(4, settlement(2))))
    await journaled(5, settlement(3))
    Object.assign(node, { mined: 6, taken: 6 })
    await queue.maintain()
    expect(signed.map(({ nonce }) => nonce)).toEqual([6, 7])
    expect(nonces()).toEqual([6, 7])
    expect(booked).toHaveLength(1)
    expect(said.filter((each) => each === 'save')).toHaveLength(3)
  })
})

describe('a late transaction', () => {
  test('is offered from the age at which it counts as late on, and only the lowest', async () => {
    const { journaled, node, queue, broadcast, entries } = bench()
    const young = await journaled(1, settlement(1), { sentAt: node.at - REPLACE_MS + 1 })
    const old = await journaled(2, settlement(2))
    await queue.maintain()
    expect([broadcast, entries()]).toEqual([[], [young, old]])
    node.at += 1
    Object.assign(node, { mined: 1, taken: 3 })
    await queue.maintain()
    expect(broadcast).toEqual([young.raw])
    expect(entries()).toEqual([old, { ...young, sentAt: node.at }])
  })

  test('is the same again where the node does not have it, and where that is not known', async () => {
    for (const down of [[], ['transaction']]) {
      const { journaled, node, queue, broadcast, signed, entries } = bench()
      const late = await journaled(0, settlement(1))
      node.down = down
      await queue.maintain()
      expect([broadcast, signed, entries()]).toEqual([[late.raw], [], [{ ...late, sentAt: node.at }]])
    }
  })

  test('is replaced at higher fees where the node has it', async () => {
    const { journaled, node, queue, broadcast, signed, entries } = bench()
    const late = await journaled(0, settlement(1))
    node.known.set(hashOf(late), settlement(1))
    await queue.maintain()
    expect(contentOf(broadcast[0])).toMatchObject({ nonce: 0, gas: GAS, ...REPLACED, ...settlement(1) })
    expect(signed).toMatchObject([{ replaces: hashOf(late) }])
    const hashes = [hashOf(late), signed[0]?.hash]
    expect(entries()).toEqual([{ ...late, raw: broadcast[0], hashes, sentAt: node.at }])
  })

  test('is the same again where a replacement may cost more than the operator allows', async () => {
    for (const [allowed, offered] of [
      [126n, REPLACED],
      [125n, FEES],
    ] as const) {
      const { journaled, node, queue, broadcast, entries } = bench({ maxCost: GAS * allowed + DATA })
      const late = await journaled(0, settlement(1))
      node.known.set(hashOf(late), settlement(1))
      await queue.maintain()
      expect(contentOf(broadcast[0])).toMatchObject(offered)
      expect(entries()[0]?.sentAt).toBe(node.at)
      expect(queue.state().isTooExpensive).toBe(offered === FEES)
    }
  })

  test('gives its nonce up once its authorization has ended by the clock of the chain, and not before', async () => {
    for (const [expiresAt, isOver] of [
      [CHAIN_TIME, true],
      [CHAIN_TIME + 1, false],
    ] as const) {
      const { journaled, queue, broadcast, entries } = bench()
      const late = await journaled(0, settlement(1), { expiresAt })
      await queue.maintain()
      if (!isOver) expect(broadcast).toEqual([late.raw])
      else expect(contentOf(broadcast[0])).toEqual(cancellation(0, 126n, 13n))
      expect(entries()[0]?.hashes).toHaveLength(isOver ? 2 : 1)
    }
  })

  test('that gives its nonce up is treated as any other', async () => {
    const { journaled, queue, broadcast } = bench()
    const late = await journaled(0, { to: ACCOUNT.address, data: '0x' }, { expiresAt: 0 })
    await queue.maintain()
    expect(broadcast).toEqual([late.raw])
  })

  test.each([
    ['the chain waits for a lower nonce that nothing has', 1, 1, true],
    ['the node has one under the lower nonce', 1, 2, false],
    ['none is missing', 2, 2, false],
  ])('%s', async (_what, mined, taken, isGap) => {
    const { journaled, node, queue, broadcast, entries, said } = bench()
    const late = await journaled(2, settlement(1))
    Object.assign(node, { mined, taken })
    await queue.maintain()
    if (!isGap) {
      expect(broadcast).toEqual([late.raw])
      expect(entries()).toEqual([{ ...late, sentAt: node.at }])
      return
    }
    expect(contentOf(broadcast[0])).toEqual(cancellation(1, 100n, 10n))
    const [raw] = broadcast
    const filling = { nonce: 1, hashes: [keccak256(raw as Hex)], raw, sentAt: node.at, expiresAt: 0 }
    expect(entries()).toEqual([late, filling])
    const worst = 21_000n * FEES.maxFeePerGas + DATA
    expect(said).toEqual(['maintain', `reserve ${SENDER}/1 upkeep ${worst}`, 'sign', 'save', 'broadcast'])
  })

  test('waits behind a lower nonce while even giving that up would cost more than the operator allows', async () => {
    for (const [price, times] of [
      [100n, 1],
      [99n, 0],
    ] as const) {
      const { journaled, node, queue, entries, signed } = bench({ maxCost: 21_000n * price + DATA })
      await journaled(2, settlement(1))
      // What a node names as the tip is paid, however much it is.
      Object.assign(node, { mined: 1, taken: 1, fees: { maxFeePerGas: 100n, maxPriorityFeePerGas: 100n } })
      await queue.maintain().catch(() => {})
      expect([entries().length, signed.length]).toEqual([1 + times, times])
      expect(queue.state().isTooExpensive).toBe(times === 0)
    }
  })

  test('is not looked for where nothing is pending', async () => {
    const { node, queue, said } = bench()
    node.down = ['latest', 'block']
    await queue.maintain()
    expect(said).toEqual(['maintain'])
    expect(queue.state()).toMatchObject({ pending: 0, dailyLoss: 1n, isSpent: true, isBelowCost: true })
  })
})

test('all calls of a transaction are those it was given, in order', async () => {
  const { send, signed } = bench()
  await send(1, 2, 3)
  expect(partsOf(signed[0]?.call as ContractCall)).toEqual([1, 2, 3].map((payer) => settlement(payer)))
})
