import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentChange, PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import { type ChainReader, ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import { BASE_SEPOLIA } from '../../../src/payments/networks/base-sepolia.ts'
import { createBackoff } from '../../../src/payments/recovery/backoff.ts'
import { reconcile } from '../../../src/payments/recovery/reconcile.ts'
import { runRecovery } from '../../../src/payments/recovery/run-recovery.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { BACKENDS } from '../../support/chain-backends.ts'
import {
  batchOf,
  cancelCall,
  freshAccount,
  type SignedPayment,
  signPayment,
  termsFor,
  transferCall,
} from '../../support/chain-payments.ts'
import { fundedChain } from '../../support/funded-chain.ts'
import { createMemoryChain } from '../../support/memory-chain/memory-chain.ts'
import { createMemoryChainReader } from '../../support/memory-chain/memory-chain-reader.ts'
import { newPayment } from '../../support/payment-rows.ts'
import { openTempLedger, rowFor, rowIn, type TempLedger } from '../../support/temp-ledger.ts'

const seconds = () => Math.floor(Date.now() / 1000)
const mintCall = (to: Hex) =>
  encodeFunctionData({
    abi: parseAbi(['function mint(address to, uint256 value)']),
    args: [to, 1_000_000n],
  })
const FREE = { owner: null, leaseUntil: 0 } as const

let store: TempLedger
beforeEach(async () => {
  store = await openTempLedger()
})
afterEach(() => store.close())

const parts = (chain: ChainReader) => ({ ledger: store.ledger, chain, payee: { network: BASE.id } })

describe.each(BACKENDS)('clearing up doubtful payments by what the chain says (%s)', (_, start) => {
  const funded = fundedChain(start)
  const { payer, payTo } = funded

  const sign = (to: Hex = payTo, amount?: string) => signPayment(payer, termsFor(to, amount))
  const run = (now: () => number = Date.now) => reconcile({ ...parts(funded.chain.chainReader), now })
  const doubt = (payment: SignedPayment, change: PaymentChange = {}, row = {}) =>
    rowIn(store.ledger, rowFor(payment, row), { state: 'in_doubt', ...FREE, ...change })
  const settle = (payment: SignedPayment) => funded.chain.transact(TOKEN, transferCall(payment))

  test('a transfer that landed settles its row, whatever its owner thought became of it', async () => {
    const payments = await Promise.all([sign(), sign(), sign()])
    const rows = [
      await doubt(payments[0] as SignedPayment),
      await doubt(payments[1] as SignedPayment, { state: 'refused', refusal: 'payment_refused' }),
      await doubt(payments[2] as SignedPayment, { state: 'settling', owner: 'gone', leaseUntil: 1 }),
    ]
    const hashes = []
    for (const payment of payments) hashes.push(await settle(payment))
    expect(await run()).toEqual({ settled: 3, void: 0, open: 0, complete: true })
    for (const [index, row] of rows.entries()) {
      expect(await store.ledger.find(row)).toMatchObject({
        state: 'settled',
        transaction: hashes[index],
        logIndex: expect.any(Number),
        owner: null,
      })
    }
    expect(await run()).toEqual({ settled: 0, void: 0, open: 0, complete: true })
  })

  test('a row under a live lease belongs to its owner', async () => {
    const payment = await sign()
    const row = await doubt(payment, { state: 'settling', owner: 'alive', leaseUntil: Date.now() + 60_000 })
    await settle(payment)
    expect(await run()).toEqual({ settled: 0, void: 0, open: 0, complete: true })
    expect(await store.ledger.find(row)).toEqual(row)
  })

  test('an unused authorization stays open until the chain is past validBefore, then is void', async () => {
    const alive = await doubt(await sign())
    const abandoned = await doubt(await sign(), { state: 'settling', owner: 'gone', leaseUntil: 1 })
    const expired = { validBefore: String(seconds() - 60) }
    const over = await doubt(await signPayment(payer, termsFor(payTo), expired))
    const refused = await doubt(await signPayment(payer, termsFor(payTo), expired), {
      state: 'refused',
      refusal: 'payment_refused',
    })
    expect(await run()).toEqual({ settled: 0, void: 2, open: 2, complete: true })
    expect(await store.ledger.find(alive)).toMatchObject({ state: 'in_doubt' })
    expect(await store.ledger.find(abandoned)).toMatchObject({ state: 'in_doubt', owner: null })
    expect(await store.ledger.find(over)).toMatchObject({ state: 'void' })
    expect(await store.ledger.find(refused)).toMatchObject({ state: 'void' })
  })

  test('our own clock buries nothing, however wrong it is', async () => {
    const row = await doubt(await sign())
    expect(await run(() => Date.now() + 86_400_000)).toMatchObject({ void: 0, open: 1 })
    expect(await store.ledger.find(row)).toMatchObject({ state: 'in_doubt' })
  })

  test('a canceled authorization is never a payment', async () => {
    const payment = await sign()
    const row = await doubt(payment)
    await funded.chain.transact(TOKEN, await cancelCall(payer, payment.transfer.nonce))
    expect(await run()).toMatchObject({ settled: 0, void: 1 })
    expect(await store.ledger.find(row)).toMatchObject({ state: 'void', transaction: null })
  })

  test('a transfer to another account beside ours in one transaction settles ours alone', async () => {
    const ours = await sign()
    const elsewhere = await sign(freshAccount().address)
    const [paid, unpaid] = [await doubt(ours), await doubt(elsewhere, {}, { payTo: payTo.toLowerCase() })]
    const hash = await funded.chain.transact(...batchOf(transferCall(elsewhere), transferCall(ours)))
    await run()
    expect(await store.ledger.find(paid)).toMatchObject({ state: 'settled', transaction: hash, logIndex: 2 })
    expect((await store.ledger.find(unpaid))?.state).not.toBe('settled')
    expect(await store.ledger.find(unpaid)).toMatchObject({ transaction: null })
  })

  test('one transaction may settle many rows, each by its own log', async () => {
    const payments = await Promise.all(Array.from({ length: 4 }, () => sign()))
    const rows = await Promise.all(payments.map((payment) => doubt(payment)))
    await funded.chain.transact(...batchOf(...payments.map(transferCall)))
    expect(await run()).toMatchObject({ settled: 4 })
    const found = await Promise.all(rows.map((row) => store.ledger.find(row)))
    expect(new Set(found.map((row) => row?.transaction)).size).toBe(1)
    expect(new Set(found.map((row) => row?.logIndex)).size).toBe(4)
  })

  test('an authorization used before it was claimed is void a day after its end, and in doubt before', async () => {
    const [late, recent] = [await sign(), await sign()]
    for (const payment of [late, recent]) await settle(payment)
    const { number: claimedBlock, timestamp } = await funded.chain.chainReader.head()
    const over = await doubt(late, {}, { claimedBlock, validBefore: timestamp - 86_401 })
    const open = await doubt(recent, {}, { claimedBlock, validBefore: timestamp - 86_000 })
    expect(await run()).toMatchObject({ settled: 0, void: 1 })
    expect(await store.ledger.find(over)).toMatchObject({ state: 'void', refusal: 'payment_already_used' })
    expect(await store.ledger.find(open)).toMatchObject({ state: 'in_doubt' })
  })
})

describe.each(BACKENDS)('an authorization spent on another account (%s)', (_, start) => {
  const funded = fundedChain(start)
  const { payer, payTo } = funded

  test('is void once its block is final, and not looked at again', async () => {
    const diverted = await signPayment(payer, termsFor(freshAccount().address))
    const { number: claimedBlock } = await funded.chain.chainReader.head()
    const change = { payTo: payTo.toLowerCase(), claimedBlock }
    const row = await rowIn(store.ledger, rowFor(diverted, change), { state: 'in_doubt', ...FREE })
    const run = (finalityDepth: bigint) =>
      reconcile({ ...parts({ ...funded.chain.chainReader, finalityDepth }), now: Date.now })
    await funded.chain.transact(TOKEN, transferCall(diverted))
    expect(await run(1_000n)).toEqual({ settled: 0, void: 0, open: 1, complete: true })
    expect(await run(0n)).toEqual({ settled: 0, void: 1, open: 0, complete: true })
    expect(await store.ledger.find(row)).toMatchObject({ state: 'void', refusal: 'payment_spent_elsewhere' })
    expect(await run(0n)).toEqual({ settled: 0, void: 0, open: 0, complete: true })
  })
})

describe('the order and the end of a run', () => {
  let time: number
  let chain: ReturnType<typeof createMemoryChain>
  let reader: ChainReader

  beforeEach(() => {
    time = 1_900_000_000
    chain = createMemoryChain(() => time)
    reader = createMemoryChainReader(chain)
    // Beyond the first block, as every chain with a payment on it is.
    time += 1
    chain.head()
  })

  const row = (change = {}): Promise<PaymentRow> =>
    rowIn(store.ledger, newPayment({ ...FREE, claimedAt: time * 1000, validBefore: time + 120, ...change }), {
      state: 'in_doubt',
      ...FREE,
    })
  const options = (change = {}) => ({
    ...parts(reader),
    now: () => time * 1000,
    ...change,
  })
  const unheard = {
    payee: { network: 'eip155:8453', asset: TOKEN, payTo: freshAccount().address },
    onMissing: () => {},
    onUnknown: () => {},
  }
  /** A reader that fails whenever it is asked about this nonce. */
  const failingFor = (nonce: string): ChainReader => ({
    ...reader,
    trace: (query) =>
      query.nonce === nonce ? Promise.reject(new ChainUnavailable('no answer')) : reader.trace(query),
  })

  test('void needs the block at the depth to be past validBefore, not the head', async () => {
    const { nonce, ...key } = await row({ validBefore: time + 5 })
    const advance = (steps: number) => {
      for (let step = 0; step < steps; step += 1) {
        time += 1
        chain.head()
      }
    }
    advance(12)
    const deep = options({ chain: { ...reader, finalityDepth: 12n } })
    expect(await reconcile(deep)).toMatchObject({ void: 0, open: 1 })
    advance(5)
    expect(await reconcile(deep)).toMatchObject({ void: 0, open: 1 })
    advance(1)
    expect(await reconcile(deep)).toMatchObject({ void: 1, open: 0 })
    expect(await store.ledger.find({ nonce, ...key })).toMatchObject({ state: 'void' })
  })

  test('rows that stay open do not stand in the way of those behind them', async () => {
    for (let index = 0; index < 130; index += 1) await row({ claimedAt: 1_000 + index })
    const expired = await row({ validBefore: time - 10 })
    expect(await reconcile(options())).toEqual({ settled: 0, void: 1, open: 130, complete: true })
    expect(await store.ledger.find(expired)).toMatchObject({ state: 'void' })
  })

  test('a row the node cannot answer for does not stand in the way either', async () => {
    const poison = await row({ claimedAt: 1_000 })
    await row({ validBefore: time - 10 })
    expect(await reconcile(options({ chain: failingFor(poison.nonce) }))).toEqual({
      settled: 0,
      void: 1,
      open: 1,
      complete: true,
    })
  })

  test('a node that is gone ends the run quietly and moves nothing', async () => {
    const gone = () => Promise.reject(new ChainUnavailable('down'))
    const rows = [await row({ validBefore: time - 10 }), await row({ validBefore: time - 10 })]
    const asked: string[] = []
    const chain = {
      ...reader,
      head: () => {
        asked.push('head')
        return gone()
      },
      trace: gone,
    }
    expect(await reconcile(options({ chain }))).toEqual({ settled: 0, void: 0, open: 0, complete: false })
    // Once for the row and once to see whether the node is there at all, for each row under way.
    expect(asked.length).toBeLessThanOrEqual(2 * rows.length)
    for (const each of rows) expect(await store.ledger.find(each)).toEqual(each)
  })

  test('a run that is stopped looks at no further row', async () => {
    await row({ validBefore: time - 10 })
    const outcome = await reconcile(options({ goOn: async () => false }))
    expect(outcome).toEqual({ settled: 0, void: 0, open: 0, complete: false })
  })

  test('250 rows the node cannot answer for hold up neither the rows behind them nor the audit', async () => {
    const poisoned = new Set<string>()
    for (let index = 0; index < 250; index += 1) poisoned.add((await row({ claimedAt: 1_000 + index })).nonce)
    const expired = await row({ validBefore: time - 10 })
    const settled = await rowIn(
      store.ledger,
      newPayment({ ...FREE, claimedAt: time * 1000, validBefore: time - 10 }),
      {
        state: 'settled',
        transaction: `0x${'12'.repeat(32)}`,
        settledAt: time * 1000 - 5_000,
        ...FREE,
      },
    )
    let asked = 0
    const chain: ChainReader = {
      ...reader,
      trace: (query) => {
        if (!poisoned.has(query.nonce)) return reader.trace(query)
        asked += 1
        return Promise.reject(new ChainUnavailable('no answer'))
      },
    }
    const backoff = createBackoff()
    const recovery = await runRecovery({ ...options({ chain, backoff }), ...unheard, owner: 'a' })
    expect(recovery?.reconciled).toEqual({ settled: 0, void: 1, open: 250, complete: true })
    expect(recovery?.audited).toMatchObject({ missing: 1, complete: true })
    expect(await store.ledger.find(expired)).toMatchObject({ state: 'void' })
    expect(await store.ledger.find(settled)).toMatchObject({ audit: 'missing' })
    expect(asked).toBe(250)
    // Each backs off alone: ten hours of runs ask some fifteen times about each, not 600 times.
    for (let minute = 0; minute < 600; minute += 1) {
      time += 60
      await reconcile(options({ chain, backoff }))
    }
    expect(asked).toBeLessThan(250 * 20)
  })

  test('rows of other networks are left to the reader of theirs', async () => {
    const over = { validBefore: time - 10 }
    const [ours, theirs] = [await row(over), await row({ ...over, network: BASE_SEPOLIA.id })]
    const seen = await store.ledger.find(theirs)
    expect(await reconcile(options())).toEqual({ settled: 0, void: 1, open: 0, complete: true })
    expect(await store.ledger.find(ours)).toMatchObject({ state: 'void' })
    expect(await store.ledger.find(theirs)).toEqual(seen)
    const there = { payee: { network: BASE_SEPOLIA.id } }
    expect(await reconcile(options(there))).toMatchObject({ void: 1 })
  })

  test('settled rows are audited although the doubtful ones cannot be read', async () => {
    await row({ validBefore: time - 10 })
    await rowIn(store.ledger, newPayment({ ...FREE, claimedAt: time * 1000, validBefore: time - 10 }), {
      state: 'settled',
      transaction: `0x${'12'.repeat(32)}`,
      settledAt: time * 1000 - 5_000,
      ...FREE,
    })
    const recovery = await runRecovery({
      ...options({ goOn: async () => true }),
      ...unheard,
      owner: 'a',
      ledger: { ...store.ledger, unresolved: async () => [] },
    })
    expect(recovery?.audited).toMatchObject({ missing: 1 })
  })

  test('a refused row that is unused is looked at again when its authorization ends', async () => {
    const refused = await rowIn(
      store.ledger,
      newPayment({ ...FREE, claimedAt: time * 1000, validBefore: time + 3_600 }),
      { state: 'refused', refusal: 'payment_refused', ...FREE },
    )
    let looks = 0
    const chain: ChainReader = {
      ...reader,
      trace: (query) => {
        looks += 1
        return reader.trace(query)
      },
    }
    const backoff = createBackoff()
    for (let minute = 0; minute < 60; minute += 1) {
      await reconcile(options({ chain, backoff }))
      time += 60
    }
    expect(looks).toBe(1)
    time += 60
    expect(await reconcile(options({ chain, backoff }))).toMatchObject({ void: 1 })
    expect(await store.ledger.find(refused)).toMatchObject({ state: 'void', refusal: 'payment_expired' })
  })

  test('a payment in a block made late, with an old timestamp, settles its row', async () => {
    const payer = freshAccount()
    const payment = await signPayment(payer, termsFor(freshAccount().address), {
      validBefore: '1900003700',
    })
    const behind = createMemoryChain(() => 1_900_000_000)
    await behind.send(TOKEN, mintCall(payer.address))
    const { number: claimedBlock } = behind.head()
    // Our clock, and other blocks seen since, are an hour ahead of the block the payment ends up in.
    const row = await rowIn(
      store.ledger,
      rowFor(payment, { claimedBlock, claimedAt: (1_900_000_000 + 3_600) * 1000 }),
      { state: 'in_doubt', ...FREE },
    )
    await behind.send(TOKEN, transferCall(payment))
    const found = await reconcile(options({ chain: createMemoryChainReader(behind) }))
    expect(found).toMatchObject({ settled: 1 })
    expect(await store.ledger.find(row)).toMatchObject({ state: 'settled' })
  })

  test('expired rows without an explanation are looked at ever more rarely, up to once an hour', async () => {
    const stuck = await row({ validBefore: time - 10 })
    let looks = 0
    const counting: ChainReader = {
      ...failingFor(stuck.nonce),
      trace: () => {
        looks += 1
        return Promise.reject(new ChainUnavailable('no answer'))
      },
    }
    const backoff = createBackoff()
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      const { open } = await reconcile(options({ chain: counting, backoff }))
      expect(open).toBe(1)
      time += 60
    }
    expect(looks).toBeGreaterThan(24)
    expect(looks).toBeLessThan(40)
  })

  test('a use that nothing explains is searched for in each run until its end, and then once an hour', async () => {
    await row({ validBefore: time + 600 })
    const searches: number[] = []
    const start = time
    const unexplained: ChainReader = {
      ...reader,
      trace: async () => {
        searches.push(time - start)
        return { kind: 'used', payments: [], elsewhere: [] }
      },
      authorizationUsed: async () => true,
    }
    const backoff = createBackoff()
    for (let minute = 0; minute < 5 * 60; minute += 1) {
      await reconcile(options({ chain: unexplained, backoff }))
      time += 60
    }
    expect(searches.filter((at) => at < 600)).toHaveLength(10)
    expect(searches.filter((at) => at > 1_200).length).toBeLessThanOrEqual(5)
  })

  test('a row that backs off is looked at in the next run after the clock was put back an hour', async () => {
    const stuck = await row({ validBefore: time - 10 })
    const backoff = createBackoff()
    await reconcile(options({ chain: failingFor(stuck.nonce), backoff }))
    time -= 3_600
    expect(await reconcile(options({ backoff }))).toMatchObject({ void: 1, open: 0 })
  })

  test('one replica at a time does it, and the lock is free again afterwards', async () => {
    await row({ validBefore: time - 10 })
    const start = (owner: string) => runRecovery({ ...options(), ...unheard, owner })
    const outcomes = await Promise.all([start('a'), start('b')])
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1)
    expect(outcomes.find((outcome) => outcome !== null)?.reconciled).toMatchObject({ void: 1 })
    expect(await start('b')).not.toBeNull()
  })
})
