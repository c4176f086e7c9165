import { rmSync } from 'node:fs'
import type { TransactionReceipt } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ledger } from '../../../../../src/ledger/ledger.ts'
import { sumTreasury } from '../../../../../src/ledger/treasury/treasury-row.ts'
import { ChainUnavailable } from '../../../../../src/payments/chain/chain-reader.ts'
import { FacilitatorFault } from '../../../../../src/payments/facilitators/facilitator-fault.ts'
import { DATA_FEE_ORACLE } from '../../../../../src/payments/facilitators/self/gas/data-fee.ts'
import { createLedgerJournal } from '../../../../../src/payments/facilitators/self/queue/settlement-journal.ts'
import { createSelfFacilitator } from '../../../../../src/payments/facilitators/self/self-facilitator.ts'
import { createTreasury, dollarsOf } from '../../../../../src/payments/facilitators/self/treasury/treasury.ts'
import { TOKEN } from '../../../../../src/sandbox/addresses.ts'
import type { ChainBackend } from '../../../../../src/sandbox/chain/anvil-backend.ts'
import { callRpc } from '../../../../../src/sandbox/chain/json-rpc.ts'
import { giveEther } from '../../../../../src/sandbox/chain/provision.ts'
import { startAnvil } from '../../../../support/chain-backends.ts'
import { freshAccount, signPayment, termsFor } from '../../../../support/chain-payments.ts'
import { eventually } from '../../../../support/eventually.ts'
import { openFreshStore } from '../../../../support/fresh-store.ts'
import { type RpcProxy, startRpcProxy } from '../../../../support/rpc-proxy.ts'

const NEVER_MS = 3_600_000
const DAY = '2026-11-20'
const GWEI = 10n ** 9n

/** Code that answers any call with one number: a stand-in for Base's oracle, which asks it for data and as operator's fee. */
const asking = (wei: bigint) => `0x7f${wei.toString(16).padStart(64, '0')}5f5260205ff3`

test('wei are millionths of a dollar, rounded up, and never more than a million dollars', () => {
  const ether = 10n ** 18n
  expect(dollarsOf(ether, 2_500n)).toBe(2_500_000_000n)
  expect(dollarsOf(1n, 2_500n)).toBe(1n)
  expect(dollarsOf(0n, 2_500n)).toBe(0n)
  expect(dollarsOf(ether ** 2n, 2_500n)).toBe(10n ** 12n)
})

describe('what a settlement may cost and has cost', () => {
  const payer = freshAccount()
  const payTo = freshAccount().address
  const privateKey = generatePrivateKey()
  const sender = privateKeyToAccount(privateKey).address
  let chain: ChainBackend
  let node: string
  let proxy: RpcProxy
  let ledger: Ledger
  let dataDir: string
  let events: string[]

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
  beforeEach(async () => {
    ;({ ledger, dataDir } = await openFreshStore('treasury'))
    proxy.treat(() => 'pass')
    events = []
    await ask(0n)
  })
  afterEach(async () => {
    await ledger.close()
    rmSync(dataDir, { recursive: true })
  })

  const ask = (wei: bigint) => callRpc(node, 'anvil_setCode', [DATA_FEE_ORACLE, asking(wei)])
  /** With ether at one dollar, 1,000 gwei are one millionth of a dollar. */
  const start = ({
    dailyLoss = 1_000_000n,
    replaceMs = NEVER_MS,
    maxCost = 10n ** 15n,
    confirmMs = NEVER_MS,
    gatherMs = 25,
  } = {}) =>
    createSelfFacilitator({
      rpcUrls: [proxy.url],
      account: privateKeyToAccount(privateKey),
      chainId: 8453,
      finalityDepth: 0n,
      token: TOKEN,
      maxCost,
      requestTimeoutMs: NEVER_MS,
      batch: { gatherMs },
      timing: { settleMs: NEVER_MS, confirmMs, lookMs: 20, replaceMs },
      journal: createLedgerJournal(ledger, sender),
      treasury: {
        ledger,
        ethUsd: 1n,
        dailyLoss,
        now: () => Date.parse(`${DAY}T12:00:00Z`),
        report: (event) => void events.push(event),
      },
    })
  const settle = async (facilitator: ReturnType<typeof start>, buyer = payer) => {
    const { payload, requirements } = await signPayment(buyer, termsFor(payTo))
    return facilitator.settle(payload, requirements)
  }
  const fundedBuyer = async () => {
    const buyer = freshAccount()
    await chain.fund(buyer.address, 10_000n)
    return buyer
  }
  const sums = async () => sumTreasury(await ledger.treasury(DAY, DAY))

  test('is reserved with the data fee and its replacements before anything is signed, and booked by the receipt', async () => {
    await ask(1_000_000n * GWEI)
    const facilitator = start({ maxCost: 10n ** 16n })
    let reserved = 0n
    proxy.treat(({ method, params }) => {
      if (method === 'eth_sendRawTransaction') void sums().then((at) => (reserved = at.reserved))
      if (method !== 'eth_getTransactionReceipt' || params.length === 0) return 'pass'
      return { rewrite: (receipt) => receipt && { ...receipt, l1Fee: `0x${(400_000n * GWEI).toString(16)}` } }
    })
    expect(await settle(facilitator)).toMatchObject({ success: true })
    await eventually(sums).toMatchObject({ earned: 1_000n, sales: 1n, reserved: 0n, lost: 0n, overrun: 0n })
    // Twice 1,000 are for the data; a replacement may cost all that one settlement may.
    expect(reserved).toBe(10_000n)
    const { spent, gas } = await sums()
    expect(spent).toBeGreaterThan(400n)
    expect(spent).toBeLessThan(1_000n)
    await eventually(async () => facilitator.settlementState().gasPerSale()).toBe(Number(gas))
    expect(facilitator.settlementState().isBelowCost).toBe(false)
    expect(events).toEqual([])
  })

  test.each([
    ['all of it', 2n * 10n ** 15n, (above: bigint) => above],
    ['as much again as was reserved of what only a lying node names', 10n ** 17n, () => 1_000n],
  ])('is said to be below cost, and of a data fee above the reserve is counted: %s', async (_what, wei, counted) => {
    const facilitator = start()
    proxy.treat(({ method }) =>
      method === 'eth_getTransactionReceipt'
        ? { rewrite: (receipt) => receipt && { ...receipt, l1Fee: `0x${wei.toString(16)}` } }
        : 'pass',
    )
    expect(await settle(facilitator)).toMatchObject({ success: true })
    await eventually(async () => events).toEqual(['cost_above_reserve', 'sold_below_cost'])
    expect(facilitator.settlementState().isBelowCost).toBe(true)
    const { lost, overrun, spent } = await sums()
    // It brought in 1,000, and 1,000 were reserved.
    expect([lost, overrun]).toEqual([1_000n, counted(spent - 2_000n)])
  })

  test('counts the data fee into the most that a settlement may cost', async () => {
    await ask(10n ** 17n)
    const facilitator = start({ maxCost: 10n ** 17n })
    await expect(settle(facilitator)).rejects.toThrow(FacilitatorFault)
    expect(facilitator.settlementState()).toMatchObject({ pending: 0, isTooExpensive: true })
    await ask(0n)
    expect(await settle(start({ maxCost: 10n ** 17n }))).toMatchObject({ success: true })
  })

  test('sends nothing while a node does not say what the data costs', async () => {
    proxy.treat(({ method, params }) =>
      method === 'eth_call' && JSON.stringify(params).toLowerCase().includes(DATA_FEE_ORACLE.toLowerCase())
        ? 'limit'
        : 'pass',
    )
    await expect(settle(start())).rejects.toThrow(ChainUnavailable)
    expect(await sums()).toMatchObject({ reserved: 0n, spent: 0n })
  })

  test('signs nothing beyond the loss of a day, and goes on once it fits', async () => {
    await ledger.reserve('another replica', { kind: 'sale', payers: [] }, 75_000n, {
      day: DAY,
      most: 100_000n,
    })
    const facilitator = start({ dailyLoss: 100_000n })
    await expect(settle(facilitator)).rejects.toThrow(FacilitatorFault)
    await expect(settle(facilitator)).rejects.toThrow(FacilitatorFault)
    expect(events).toEqual(['daily_loss_reached'])
    expect(facilitator.settlementState()).toMatchObject({ isSpent: true, pending: 0 })
    await facilitator.maintain()
    expect(facilitator.settlementState().isSpent).toBe(true)
    await ledger.release('another replica', { spent: 0n, gas: 0n, shares: [] })
    await facilitator.maintain()
    expect(facilitator.settlementState().isSpent).toBe(false)
    expect(await settle(facilitator)).toMatchObject({ success: true })
  })

  test('is booked once over replacements, by the process that finds the receipt after a crash', async () => {
    await callRpc(node, 'evm_setIntervalMining', [0])
    const facilitator = start({ replaceMs: 1, confirmMs: 300 })
    expect(await settle(facilitator)).toMatchObject({ success: false })
    facilitator.close()
    expect(await sums()).toMatchObject({ spent: 0n, sales: 0n })
    expect((await sums()).reserved).toBeGreaterThan(0n)
    await callRpc(node, 'evm_setAutomine', [true])
    await callRpc(node, 'evm_mine')
    const successor = start({ replaceMs: 1 })
    await eventually(async () => {
      await successor.maintain()
      return sums()
    }).toMatchObject({ earned: 1_000n, sales: 1n, reserved: 0n })
    const { spent } = await sums()
    await successor.maintain()
    expect(await sums()).toMatchObject({ spent, sales: 1n })
    successor.close()
  })

  test('past the loss of a day is paid for payers who have brought it in, and for no one else', async () => {
    const [rich, poor] = [await fundedBuyer(), await fundedBuyer()]
    await ledger.reserve('earlier', { kind: 'sale', payers: [] }, 1n, { day: DAY, most: 100_000n })
    const shares = [{ payer: rich.address.toLowerCase(), amount: 10_000_000n }]
    await ledger.release('earlier', { spent: 0n, gas: 0n, shares })
    await ledger.reserve('another replica', { kind: 'sale', payers: [] }, 75_000n, {
      day: DAY,
      most: 100_000n,
    })
    const facilitator = start({ dailyLoss: 100_000n })
    for (let tries = 0; tries < 2; tries += 1)
      await expect(settle(facilitator, poor)).rejects.toThrow(FacilitatorFault)
    expect(await settle(facilitator, rich)).toMatchObject({ success: true })
    expect(facilitator.settlementState()).toMatchObject({ isSpent: true })
    // In a batch, too, the one is settled and the others are not.
    const buyers = [poor, await fundedBuyer(), rich, await fundedBuyer()]
    const results = await Promise.allSettled(buyers.map((buyer) => settle(facilitator, buyer)))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'rejected'])
    await eventually(sums).toMatchObject({ reserved: 75_000n, lost: 0n, overrun: 0n, sales: 3n })
    expect(
      await ledger.reserve('one more', { kind: 'sale', payers: [] }, 1n, { day: DAY, most: 100_000n }),
    ).toBe('spent')
  })

  test('is refused for a batch as a whole only, where a single settlement fits, and ends with what is reserved', async () => {
    let single = 0n
    proxy.treat(({ method }) => {
      if (method === 'eth_sendRawTransaction') void sums().then(({ reserved }) => (single = reserved))
      return 'pass'
    })
    await settle(start())
    await eventually(sums).toMatchObject({ reserved: 0n })
    proxy.treat(() => 'pass')
    proxy.hasSyncBroadcast = true
    try {
      const facilitator = start({ dailyLoss: (single * 5n) / 3n, gatherMs: NEVER_MS })
      const results = await Promise.allSettled([1, 2, 3].map(() => settle(facilitator)))
      expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(1)
      await eventually(sums).toMatchObject({ reserved: 0n })
      await facilitator.maintain()
      expect(facilitator.settlementState().isSpent).toBe(false)
    } finally {
      proxy.hasSyncBroadcast = false
    }
  })

  test('is asked about a few times for a batch of which nothing fits', async () => {
    const facilitator = start({ dailyLoss: 200n, gatherMs: NEVER_MS })
    await ledger.reserve('another replica', { kind: 'sale', payers: [] }, 149n, { day: DAY, most: 200n })
    const buyers = await Promise.all(Array.from({ length: 9 }, fundedBuyer))
    proxy.seen.length = 0
    const results = await Promise.allSettled(buyers.map((buyer) => settle(facilitator, buyer)))
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(9)
    // The first, then 8, 4, 2 and 1; each asks for the balance when it would be signed, one alone before that too.
    expect(proxy.seen.filter(({ method }) => method === 'eth_getBalance').length).toBeLessThan(9)
  })

  test('does not end sales for good where one costs more than a day may lose', async () => {
    const facilitator = start({ dailyLoss: 1n })
    await expect(settle(facilitator)).rejects.toThrow(FacilitatorFault)
    expect(facilitator.settlementState().isSpent).toBe(true)
    await facilitator.maintain()
    expect(facilitator.settlementState().isSpent).toBe(false)
  })

  test.each([
    ['a data fee beyond all money', { l1Fee: `0x${'f'.repeat(64)}` }],
    ['no price of gas', { effectiveGasPrice: undefined }],
  ])('holds up no other settlement where a node tells %s', async (_, lie) => {
    let broadcasts = 0
    let first: unknown
    proxy.treat(({ method, params }) => {
      const [hash] = params ?? []
      if (method === 'eth_sendRawTransaction') broadcasts += 1
      if (method === 'eth_sendRawTransaction' && broadcasts === 2) return 'drop'
      if (method !== 'eth_getTransactionReceipt') return 'pass'
      first ??= hash
      return hash === first ? { rewrite: (receipt) => receipt && { ...receipt, ...lie } } : 'pass'
    })
    const facilitator = start({ replaceMs: 1 })
    expect(await settle(facilitator)).toMatchObject({ success: true })
    expect(await settle(facilitator)).toMatchObject({ success: true })
    expect(await sums()).toMatchObject({ lost: expect.any(BigInt) })
  })

  test('is booked in the end where the node knows a transaction and does not give its receipt', async () => {
    proxy.treat(({ method }) => (method === 'eth_getTransactionReceipt' ? 'limit' : 'pass'))
    const facilitator = start({ replaceMs: 1, confirmMs: 100 })
    expect(await settle(facilitator)).toMatchObject({ success: false })
    await facilitator.maintain()
    proxy.treat(() => 'pass')
    await facilitator.maintain()
    expect(await sums()).toMatchObject({ earned: 1_000n, sales: 1n, reserved: 0n })
  })

  test('is booked as what was mined, where a node that is behind made this process give up its nonce', async () => {
    proxy.treat(({ method }) => (method === 'eth_getTransactionReceipt' ? 'limit' : 'pass'))
    const facilitator = start({ replaceMs: 1, confirmMs: 100 })
    // Its own turn, after five seconds, would replace the transaction once more.
    facilitator.close()
    const mined = await callRpc(node, 'eth_getTransactionCount', [sender, 'latest'])
    expect(await settle(facilitator)).toMatchObject({ success: false })
    const journal = createLedgerJournal(ledger, sender)
    await journal.save((await journal.load()).map((each) => ({ ...each, expiresAt: 1 })))
    proxy.treat(({ method }) => (method === 'eth_getTransactionCount' ? { result: mined } : 'pass'))
    await facilitator.maintain()
    expect((await journal.load())[0]?.hashes).toHaveLength(2)
    proxy.treat(() => 'pass')
    await facilitator.maintain()
    expect(await sums()).toMatchObject({ earned: 1_000n, sales: 1n, reserved: 0n, lost: 0n })
  })

  test('is not forgotten where two processes wrote the journal after both had read it', async () => {
    const [one, other] = [createLedgerJournal(ledger, sender), createLedgerJournal(ledger, sender)]
    await Promise.all([one.load(), other.load()])
    await one.save([{ nonce: 1, hashes: ['0x01'], raw: '0x', sentAt: 1, expiresAt: 1 }])
    expect(await other.look()).toHaveLength(1)
    await expect(other.save([])).rejects.toThrow('another process')
    expect(await one.load()).toHaveLength(1)
  })
})

test.each([
  ['less than', 999n, false],
  ['as much as', 1_000n, false],
  ['a millionth more than', 1_001n, true],
])('a settlement that costs %s it brings in', async (_what, spent, isBelowCost) => {
  const events: string[] = []
  const wei = 10n ** 12n
  const treasury = createTreasury(
    {
      ledger: { release: async () => ({ lost: 0n, overrun: 0n }) } as unknown as Ledger,
      ethUsd: 1n,
      dailyLoss: 5_000_000n,
      now: () => 0,
      report: (event) => void events.push(event),
    },
    { costOf: async () => spent * wei },
  )
  const receipt = { gasUsed: 100_000n } as TransactionReceipt
  await treasury.release('a', receipt, [
    { payer: '0xa', amount: 400n },
    { payer: '0xb', amount: 600n },
  ])
  expect(treasury.state()).toMatchObject({ isBelowCost })
  expect(treasury.state().gasPerSale()).toBe(50_000)
  expect(events).toEqual(isBelowCost ? ['sold_below_cost'] : [])
})

test('what each sale asks of the books does not go through the settlements of the last hour', async () => {
  let reads = 0
  const treasury = createTreasury(
    {
      ledger: { release: async () => ({ lost: 0n, overrun: 0n }) } as unknown as Ledger,
      ethUsd: 1n,
      dailyLoss: 5_000_000n,
      now: () => {
        reads += 1
        return 0
      },
      report: () => {},
    },
    { costOf: async () => 1n },
  )
  const receipt = { gasUsed: 100_000n } as TransactionReceipt
  for (const name of ['a', 'b', 'c']) await treasury.release(name, receipt, [{ payer: '0xa', amount: 400n }])
  reads = 0
  expect(treasury.state().isSpent).toBe(false)
  expect(reads).toBe(0)
  expect(treasury.state().gasPerSale()).toBe(100_000)
})
