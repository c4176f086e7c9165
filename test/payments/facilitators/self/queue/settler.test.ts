/** Which calls leave together, over a scripted node and queue, by a clock that a test drives. */

import { eip3009ABI } from '@x402/evm'
import { concatHex, decodeFunctionData, type Hex, http, pad, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test, vi } from 'vitest'
import type { ContractCall } from '../../../../../src/payments/chain/contract-call.ts'
import { AGGREGATOR, callOfAll, partsOf } from '../../../../../src/payments/chain/settlement-calls.ts'
import type { QueuedCall } from '../../../../../src/payments/facilitators/self/queue/queued-call.ts'
import { createSettler } from '../../../../../src/payments/facilitators/self/queue/settler.ts'
import { createSelfFacilitator } from '../../../../../src/payments/facilitators/self/self-facilitator.ts'
import {
  NotUnderWay,
  persistTransactionHash,
} from '../../../../../src/payments/facilitators/self/transaction/persist-transaction-hash.ts'
import {
  OverShare,
  TreasuryRefused,
} from '../../../../../src/payments/facilitators/self/treasury/treasury.ts'
import { BASE } from '../../../../../src/payments/networks/base.ts'
import { CALLED_TOKEN, logsOf, nonceOf, payerOf, settlement } from '../../../../support/settlement-calls.ts'

const GATHER_MS = 40
const LIMITS = { purpose: 'settlement', deadline: 0, expiresAt: 0 } as never
/** The deployment of a wallet; numbered 77 below. */
const DEPLOY = settlement(77).data.replace('e3ee160e', '01020304') as Hex
const numberOf = ({ data }: ContractCall) =>
  data === DEPLOY
    ? 77
    : Number((decodeFunctionData({ abi: eip3009ABI, data }).args as unknown as readonly Hex[])[0])

/** Lets what is ready run. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

function bench({ most = 4, contractWallets = 'accept' as 'accept' | 'refuse' } = {}) {
  const node = {
    at: 0,
    balance: 10n ** 18n,
    hasAggregator: true,
    runsBatches: true,
    /** Payers with code, and those whose call would fail. */
    contracts: [] as number[],
    failing: [] as number[],
    feesAsked: 0,
  }
  const sent: { readonly numbers: readonly number[]; readonly gas: bigint }[] = []
  const broadcasts: PromiseWithResolvers<void>[] = []
  const sleeps: { readonly ms: number; readonly over: PromiseWithResolvers<void> }[] = []
  /** What the queue does before it takes calls. */
  let refuse = (_calls: readonly QueuedCall[]): void => {}
  const works = (call: ContractCall) => !node.failing.includes(numberOf(call))
  const client = {
    estimateFeesPerGas: async () => {
      node.feesAsked += 1
      return { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n }
    },
    getBalance: async () => node.balance,
    getCode: async ({ address }: { address: Hex }) =>
      node.contracts.includes(Number(address)) || (address === AGGREGATOR && node.hasAggregator)
        ? '0x60'
        : undefined,
    estimateGas: async ({ to, data }: ContractCall) => {
      const parts = to === CALLED_TOKEN ? [{ to, data }] : partsOf({ to, data }, 'all or nothing')
      const isMade = (call: ContractCall) =>
        works(call) && (to === CALLED_TOKEN || !node.contracts.includes(numberOf(call)))
      if (parts.every(isMade)) return 50_000n * BigInt(parts.length)
      throw new Error('execution reverted')
    },
    request: async ({ params }: { params: readonly [{ data: Hex }] }) => {
      const parts = partsOf({ to: null, data: params[0].data }, 'report')
      if (!node.runsBatches) return '0x'
      const made = parts.map((part) => works(part) && !node.contracts.includes(numberOf(part)))
      return concatHex(made.map((each) => (each ? '0x01' : '0x00')))
    },
  }
  const receipts = new Map<Hex, object>()
  const settler = createSettler({
    client: client as never,
    clock: {
      now: () => node.at,
      monotonicMs: () => node.at,
      sleep: (ms) => {
        const over = Promise.withResolvers<void>()
        sleeps.push({ ms, over })
        return over.promise
      },
    },
    queue: {
      dispatch: async (calls: readonly QueuedCall[], { gas }: { gas: bigint }) => {
        refuse(calls)
        sent.push({ numbers: calls.map(({ call }) => numberOf(call)), gas })
        const broadcast = Promise.withResolvers<void>()
        broadcasts.push(broadcast)
        for (const { hash } of calls) hash.resolve(toHex(sent.length))
        return { broadcast: broadcast.promise }
      },
      confirm: async (hash: Hex) => receipts.get(hash),
    } as never,
    ...{ sender: payerOf(98), token: CALLED_TOKEN, contractWallets, batch: { most, gatherMs: GATHER_MS } },
  })
  const send = (payer: number) => settler.send(settlement(payer), LIMITS)
  /** Sends one alone and, before its broadcast is answered, these; then it is answered. */
  const sendBehindAnother = async (payers: readonly number[]) => {
    const first = send(1)
    await turn()
    // Looked at from the beginning, since some are refused before the others leave.
    const outcomes = Promise.allSettled(payers.map(send))
    await turn()
    for (const each of broadcasts) each.resolve()
    await turn()
    for (const each of broadcasts) each.resolve()
    return { first, outcomes: await outcomes }
  }
  return {
    ...{ node, sent, broadcasts, sleeps, settler, send, sendBehindAnother, receipts },
    numbers: () => sent.map(({ numbers }) => numbers),
    refuse: (rule: typeof refuse) => {
      refuse = rule
    },
  }
}
const kinds = (outcomes: readonly PromiseSettledResult<unknown>[]) => outcomes.map(({ status }) => status)

test('the first leaves alone and at once, the others together once its broadcast is answered', async () => {
  const { send, sent, numbers, broadcasts, sleeps } = bench()
  await send(1)
  for (const payer of [2, 3, 4]) void send(payer)
  await turn()
  expect(numbers()).toEqual([[1]])
  expect(sleeps.map(({ ms }) => ms)).toEqual([GATHER_MS])
  broadcasts[0]?.resolve()
  await turn()
  expect(numbers()).toEqual([[1], [2, 3, 4]])
  // The estimate and a fifth more.
  expect(sent.map(({ gas }) => gas)).toEqual([60_000n, 180_000n])
})

test('a node that takes long to answer delays no one for longer than calls gather', async () => {
  const { send, numbers, sleeps } = bench()
  await send(1)
  void send(2)
  await turn()
  sleeps[0]?.over.resolve()
  await turn()
  expect(numbers()).toEqual([[1], [2]])
})

test('as many as one transaction may hold leave at once; one more waits', async () => {
  const { send, numbers, broadcasts } = bench({ most: 3 })
  await send(1)
  for (const payer of [2, 3]) void send(payer)
  await turn()
  expect(numbers()).toEqual([[1]])
  for (const payer of [4, 5]) void send(payer)
  await turn()
  expect(numbers()).toEqual([[1], [2, 3, 4]])
  broadcasts[1]?.resolve()
  await turn()
  expect(numbers()).toEqual([[1], [2, 3, 4], [5]])
})

test('two full transactions leave one behind the other without waiting', async () => {
  const { send, numbers } = bench({ most: 3 })
  await send(1)
  for (const payer of [2, 3, 4, 5, 6, 7]) void send(payer)
  await turn()
  expect(numbers()).toEqual([[1], [2, 3, 4], [5, 6, 7]])
})

test('all leave at once where a transaction may hold one', async () => {
  const { send, numbers } = bench({ most: 1 })
  await Promise.all([1, 2, 3].map(send))
  expect(numbers()).toEqual([[1], [2], [3]])
})

test('after a pause the next leaves alone again', async () => {
  const { send, numbers, sendBehindAnother, broadcasts } = bench()
  await sendBehindAnother([2, 3])
  broadcasts[1]?.resolve()
  await turn()
  await send(4)
  expect(numbers()).toEqual([[1], [2, 3], [4]])
})

test('a batch asks for the fees of the moment, at most once a second', async () => {
  const { send, node, broadcasts } = bench()
  const asked: number[] = []
  await send(1)
  for (const at of [1_000, 1_900, 2_100]) {
    node.at = at
    void send(2)
    void send(3)
    broadcasts.at(-1)?.resolve()
    await turn()
    asked.push(node.feesAsked - 1)
  }
  expect(asked).toEqual([1, 1, 2])
})

test.each([
  ['has code', 'contracts'],
  ['would fail', 'failing'],
] as const)('one that %s leaves the others together, and alone', async (_what, kind) => {
  const { node, sendBehindAnother, numbers } = bench()
  node[kind] = [3]
  const { outcomes } = await sendBehindAnother([2, 3, 4])
  expect(numbers()).toContainEqual([2, 4])
  expect(numbers().filter((each) => each.includes(3))).toEqual(kind === 'failing' ? [] : [[3]])
  expect(kinds(outcomes)[1]).toBe(kind === 'failing' ? 'rejected' : 'fulfilled')
})

test.each([
  ['the node runs no batches', { hasAggregator: false, runsBatches: false }, [2, 3, 4]],
  ['only one of them works', { failing: [2, 4] }, [3]],
  ['none of them works', { failing: [2, 3, 4] }, []],
])('each leaves alone where %s', async (_what, change, left) => {
  const { node, sendBehindAnother, numbers } = bench()
  Object.assign(node, change)
  await sendBehindAnother([2, 3, 4])
  expect(numbers().slice(1)).toEqual(left.map((payer) => [payer]))
})

test('no payer with code is served where contract wallets are refused, and none by an empty account', async () => {
  const { node, send, numbers } = bench({ contractWallets: 'refuse' })
  node.contracts = [1]
  await expect(send(1)).rejects.toThrow('has become a contract')
  // At 10 wei for a unit of gas, of which a settlement is counted as 100,000.
  node.balance = 999_999n
  await expect(send(2)).rejects.toThrow('cannot pay for the gas')
  node.balance = 1_000_000n
  await send(3)
  expect(numbers()).toEqual([[3]])
})

test('where the day may not lose so much, half leave, then the other half; one that does not fit ends it', async () => {
  const { refuse, sendBehindAnother, numbers } = bench()
  refuse((calls) => {
    if (calls.length > 2 || calls.some(({ call }) => numberOf(call) === 4)) throw new TreasuryRefused()
  })
  const { outcomes } = await sendBehindAnother([2, 3, 4, 5])
  expect(numbers()).toEqual([[1], [2, 3]])
  expect(kinds(outcomes)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
})

test('where the daily budget holds fewer at once, the second half leaves once the first is broadcast', async () => {
  const { refuse, send, numbers, broadcasts } = bench()
  refuse((calls) => {
    if (calls.length > 2) throw new TreasuryRefused()
  })
  await send(1)
  const outcomes = [2, 3, 4, 5].map((payer) => send(payer))
  await turn()
  broadcasts[0]?.resolve()
  await turn()
  expect(numbers()).toEqual([[1], [2, 3]])
  broadcasts[1]?.resolve()
  await Promise.all(outcomes)
  expect(numbers()).toEqual([[1], [2, 3], [4, 5]])
})

test('payers whose budget is used up are tried alone, and the others leave together', async () => {
  const { refuse, sendBehindAnother, numbers } = bench({ most: 6 })
  refuse((calls) => {
    const over = calls.map(({ call }) => numberOf(call)).filter((payer) => payer === 3 || payer === 5)
    if (over.length > 0) throw new OverShare(over.map(payerOf))
  })
  const { outcomes } = await sendBehindAnother([2, 3, 4, 5, 6])
  expect(numbers()).toEqual([[1], [2, 4, 6]])
  expect(kinds(outcomes)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
})

test('half of them are as many as the other half', async () => {
  const { refuse, sendBehindAnother, numbers } = bench({ most: 6 })
  refuse((calls) => {
    if (calls.length > 3) throw new TreasuryRefused()
  })
  await sendBehindAnother([2, 3, 4, 5, 6, 7])
  expect(numbers()).toEqual([[1], [2, 3, 4], [5, 6, 7]])
})

test('one whose sale is over is left out, and the others leave', async () => {
  const { refuse, sendBehindAnother, numbers } = bench()
  refuse((calls) => {
    if (calls.some(({ call }) => numberOf(call) === 3)) throw new NotUnderWay([nonceOf(3)])
  })
  const { outcomes } = await sendBehindAnother([2, 3, 4])
  expect(numbers()).toEqual([[1], [2, 4]])
  expect(kinds(outcomes)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a call that the queue does not take rejects its batch alone', async () => {
  const { refuse, sendBehindAnother } = bench()
  refuse((calls) => {
    if (calls.length > 1) throw new Error('no nonce')
  })
  const { first, outcomes } = await sendBehindAnother([2, 3])
  expect((await first).hash).toBe('0x1')
  expect(kinds(outcomes)).toEqual(['rejected', 'rejected'])
})

const paidBy = (...payers: readonly number[]) => ({
  ...{ to: AGGREGATOR, status: 'success', transactionHash: '0x2' },
  logs: payers.flatMap((payer, index) => logsOf(payer, index * 2)),
})
const nameOf = (payer: number) => ({ payer: payerOf(payer), nonce: nonceOf(payer) })
const sentOf = (outcome: PromiseSettledResult<unknown> | undefined) => {
  if (outcome?.status !== 'fulfilled') throw new Error('not sent')
  return outcome.value as never
}

test('a receipt is that of its call: of a batch the logs of one authorization, else as it is', async () => {
  const { settler, receipts } = bench()
  const batch = paidBy(2, 3)
  receipts.set('0x2', batch)
  expect(await settler.confirm({ hash: '0x2' }, nameOf(3), 0)).toEqual({
    ...batch,
    logs: batch.logs.slice(2),
  })
  expect(await settler.confirm({ hash: '0x2' }, undefined, 0)).toBe(batch)
  // One that was sent alone is paid by its own logs as well, and by none of another.
  for (const to of [null, CALLED_TOKEN]) {
    receipts.set('0x3', { ...batch, to })
    expect(await settler.confirm({ hash: '0x3' }, nameOf(3), 0)).toMatchObject({ logs: batch.logs.slice(2) })
    expect(await settler.confirm({ hash: '0x3' }, nameOf(4), 0)).toMatchObject({
      status: 'reverted',
      logs: [],
    })
  }
  // Sent by another process, or before a restart.
  expect(await settler.confirm({ hash: '0x2' }, nameOf(4), 0)).toEqual({
    ...batch,
    status: 'reverted',
    logs: [],
  })
})

test('the receipt of a call without an authorization, as a deployment of the same payment, is as it is', async () => {
  const { settler, receipts } = bench()
  const deployed = { to: payerOf(77), status: 'success', logs: [] }
  const sent = await settler.send({ to: payerOf(77), data: DEPLOY }, LIMITS)
  receipts.set(sent.hash, deployed)
  expect(await settler.confirm(sent, nameOf(3), 0)).toBe(deployed)
})

const cutShort = [{ address: AGGREGATOR, topics: [toHex(1, { size: 32 })], data: '0x', logIndex: 9 }]

test.each([
  ['that the payer left without money or has code in', 'refuse', {}, []],
  ['that accepts contract wallets', 'accept', {}, [[3]]],
  ['that reverted as a whole', 'refuse', { status: 'reverted', logs: [] }, [[3]]],
  ['that ran short of gas', 'refuse', { logs: [...logsOf(2, 0), ...cutShort] }, [[3]]],
  [
    'that ran short of gas and was sent along',
    'refuse',
    { to: null, contractAddress: AGGREGATOR, logs: [...logsOf(2, 0), ...cutShort] },
    [[3]],
  ],
] as const)('one that is not paid in a batch %s (contract wallets: %s) has failed, or is sent again alone', async (_what, contractWallets, change, again) => {
  const { sendBehindAnother, settler, receipts, numbers } = bench({ contractWallets })
  const { outcomes } = await sendBehindAnother([2, 3])
  receipts.set('0x2', { ...paidBy(2), ...change })
  receipts.set('0x3', { to: CALLED_TOKEN, status: 'success', logs: logsOf(3, 0) })
  const receipt = await settler.confirm(sentOf(outcomes[1]), nameOf(3), 0)
  expect(receipt.status).toBe(again.length === 0 ? 'reverted' : 'success')
  expect(numbers()).toEqual([[1], [2, 3], ...again])
})

test('one that is not paid alone either is not sent a third time', async () => {
  const { sendBehindAnother, settler, receipts, numbers } = bench()
  const { outcomes } = await sendBehindAnother([2, 3])
  receipts.set('0x2', paidBy(2)).set('0x3', { to: CALLED_TOKEN, status: 'reverted', logs: [] })
  expect(await settler.confirm(sentOf(outcomes[1]), nameOf(3), 0)).toMatchObject({ status: 'reverted' })
  expect(numbers()).toEqual([[1], [2, 3], [3]])
})

test('one that cannot be sent again has failed', async () => {
  const { sendBehindAnother, settler, receipts, refuse } = bench()
  const { outcomes } = await sendBehindAnother([2, 3])
  receipts.set('0x2', paidBy(2))
  refuse(() => {
    throw new Error('no nonce')
  })
  expect(await settler.confirm(sentOf(outcomes[1]), nameOf(3), 0)).toMatchObject({
    status: 'reverted',
    logs: [],
  })
})

test('of a batch, those are named that are not under way, by payer and nonce', async () => {
  const calls = [
    [1, 1],
    [1, 2],
    [2, 1],
    [2, 3],
  ].map(([payer, nonce]) => settlement(payer as number, nonce))
  const ledger = { noteSent: async (keys: readonly object[]) => [keys[0], keys[3]] as never }
  const persist = persistTransactionHash({ ledger, network: 'eip155:8453', token: CALLED_TOKEN })
  const signed = { hash: pad('0x1'), nonce: 0, call: callOfAll(calls, 'deployed') }
  await expect(persist(signed)).rejects.toMatchObject({ nonces: [nonceOf(2), nonceOf(1)] })
  await persist({ ...signed, replaces: pad('0x2') })
})

test('a hash is noted for the rows of all settlements in a transaction, and for no other call', async () => {
  const { address } = BASE.token
  const noted: unknown[] = []
  const ledger = {
    noteSent: async (...args: readonly [readonly object[], string]) => {
      noted.push(...args)
      return args[0] as never
    },
  }
  const persist = persistTransactionHash({ ledger, network: BASE.id, token: address })
  const transaction = (...calls: readonly ContractCall[]) => ({
    hash: pad('0x1'),
    nonce: 0,
    call: callOfAll(calls, 'deployed'),
  })
  const ours = { ...settlement(1), to: address }
  const elsewhere = settlement(2)
  await persist(transaction(ours))
  const key = { network: BASE.id, asset: address.toLowerCase(), payer: payerOf(1), nonce: nonceOf(1) }
  expect(noted).toEqual([[key], pad('0x1')])
  await persist(transaction(elsewhere))
  expect(noted).toHaveLength(2)
  await expect(persist(transaction({ to: address, data: '0x1234' }))).rejects.toThrow('settles no payment')
})

test('late transactions are looked for every five seconds until the facilitator is closed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const look = vi.fn(async () => [])
    look.mockRejectedValueOnce(new Error('the store is down'))
    const facilitator = createSelfFacilitator({
      ...{
        rpcUrls: [],
        transport: http('http://127.0.0.1:1'),
        chainId: 8453,
        finalityDepth: 0n,
        token: CALLED_TOKEN,
      },
      account: privateKeyToAccount(pad('0x1')),
      journal: { look, load: look, save: async () => {} },
    })
    for (const looks of [0, 1, 2]) {
      await vi.advanceTimersByTimeAsync(4_999)
      expect(look).toHaveBeenCalledTimes(looks)
      await vi.advanceTimersByTimeAsync(1)
      expect(look).toHaveBeenCalledTimes(looks + 1)
    }
    facilitator.close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(look).toHaveBeenCalledTimes(3)
  } finally {
    vi.useRealTimers()
  }
})
