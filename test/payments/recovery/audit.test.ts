import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import { type ChainReader, ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { type AuditOptions, audit } from '../../../src/payments/recovery/audit.ts'
import { createBackoff } from '../../../src/payments/recovery/backoff.ts'
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

const HASH = `0x${'12'.repeat(32)}`
const FREE = { owner: null, leaseUntil: 0 } as const

let store: TempLedger
let missing: PaymentRow[]
beforeEach(async () => {
  store = await openTempLedger()
  missing = []
})
afterEach(() => store.close())

const options = (chain: ChainReader, change: Partial<AuditOptions> = {}): AuditOptions => ({
  ledger: store.ledger,
  chain,
  now: () => Date.now() + 1,
  payee: { network: 'eip155:8453' },
  onMissing: (row) => missing.push(row),
  ...change,
})

describe.each(BACKENDS)('holding settled rows against the chain (%s)', (_, start) => {
  const funded = fundedChain(start)
  const { payer, payTo } = funded

  // Half a minute ago, so that the chain is certainly past it.
  const settled = (payment: SignedPayment, transaction = HASH, row = {}) =>
    rowIn(store.ledger, rowFor(payment, { claimedAt: Date.now() - 60_000, ...row }), {
      state: 'settled',
      transaction,
      settledAt: Date.now() - 30_000,
      ...FREE,
    })
  const expired = (to = payTo) =>
    signPayment(payer, termsFor(to), { validBefore: String(Math.floor(Date.now() / 1000) - 60) })

  test('a transfer that is there is found, with the place of its logs, and not looked for again', async () => {
    const payment = await signPayment(payer, termsFor(payTo))
    const hash = await funded.chain.transact(TOKEN, transferCall(payment))
    const row = await settled(payment, hash)
    expect(await audit(options(funded.chain.chainReader))).toEqual({
      found: 1,
      missing: 0,
      open: 0,
      complete: true,
    })
    expect(await store.ledger.find(row)).toMatchObject({
      state: 'settled',
      audit: 'found',
      transaction: hash,
      logIndex: expect.any(Number),
    })
    expect(await audit(options(funded.chain.chainReader))).toMatchObject({ found: 0 })
  })

  test('the rows of a run share a look at the ends of the chain, and each is looked for in its transaction', async () => {
    const hashes = await Promise.all(
      [1, 2, 3].map(async () => {
        const payment = await signPayment(payer, termsFor(payTo))
        const hash = await funded.chain.transact(TOKEN, transferCall(payment))
        await settled(payment, hash)
        return hash
      }),
    )
    const asked: unknown[] = []
    const { chainReader } = funded.chain
    const reader: ChainReader = {
      ...chainReader,
      head: () => {
        asked.push('head')
        return chainReader.head()
      },
      block: (number) => {
        asked.push('final')
        return chainReader.block(number)
      },
      trace: (query) => {
        asked.push(query.transaction)
        return chainReader.trace(query)
      },
    }
    expect(await audit(options(reader))).toMatchObject({ found: 3 })
    expect(asked.toSorted()).toEqual([...hashes, 'final', 'head'].toSorted())
  })

  test('a transfer is found also when our clock was five minutes fast', async () => {
    const payment = await signPayment(payer, termsFor(payTo))
    const hash = await funded.chain.transact(TOKEN, transferCall(payment))
    const fast = Date.now() + 300_000
    const row = await settled(payment, hash, { claimedAt: fast })
    expect(await audit(options(funded.chain.chainReader, { now: () => fast + 1 }))).toMatchObject({
      found: 1,
    })
    expect(await store.ledger.find(row)).toMatchObject({ audit: 'found' })
  })

  test('where the facilitator named another transaction, the books say what the chain says', async () => {
    const payment = await signPayment(payer, termsFor(payTo))
    const hash = await funded.chain.transact(TOKEN, transferCall(payment))
    const row = await settled(payment, HASH)
    await audit(options(funded.chain.chainReader))
    expect(await store.ledger.find(row)).toMatchObject({ audit: 'found', transaction: hash })
  })

  test('a transfer that can no longer come is missing, and the operator is informed once', async () => {
    const row = await settled(await expired())
    expect(await audit(options(funded.chain.chainReader))).toMatchObject({ missing: 1 })
    expect(missing.map(({ nonce }) => nonce)).toEqual([row.nonce])
    expect(await store.ledger.find(row)).toMatchObject({ state: 'settled', audit: 'missing' })
    expect(await audit(options(funded.chain.chainReader))).toMatchObject({ missing: 0 })
  })

  test('a transfer that may still come is left for later', async () => {
    const row = await settled(await signPayment(payer, termsFor(payTo)))
    expect(await audit(options(funded.chain.chainReader))).toEqual({
      found: 0,
      missing: 0,
      open: 1,
      complete: true,
    })
    expect(await store.ledger.find(row)).toEqual(row)
  })

  test('a canceled authorization, or one that paid another account, is no payment of ours', async () => {
    const canceled = await signPayment(payer, termsFor(payTo))
    const elsewhere = await signPayment(payer, termsFor(freshAccount().address))
    const other = await signPayment(payer, termsFor(payTo))
    const past = { validBefore: Math.floor(Date.now() / 1000) - 60 }
    const rows = [
      await settled(canceled, HASH, past),
      await settled(elsewhere, HASH, { ...past, payTo: payTo.toLowerCase() }),
    ]
    await funded.chain.transact(TOKEN, await cancelCall(payer, canceled.transfer.nonce))
    await funded.chain.transact(...batchOf(transferCall(elsewhere), transferCall(other)))
    expect(await audit(options(funded.chain.chainReader))).toMatchObject({ found: 0, missing: 2 })
    for (const row of rows) expect(await store.ledger.find(row)).toMatchObject({ audit: 'missing' })
  })
})

describe('when the audit looks', () => {
  let time: number
  let chain: ReturnType<typeof createMemoryChain>

  beforeEach(() => {
    time = Math.floor(Date.now() / 1000)
    chain = createMemoryChain(() => time)
  })

  const advance = (blocks: number) => {
    for (let step = 0; step < blocks; step += 1) {
      time += 2
      chain.head()
    }
  }
  const deep = (reader = createMemoryChainReader(chain), change: Partial<AuditOptions> = {}) =>
    options({ ...reader, finalityDepth: 12n }, { now: () => time * 1000, ...change })

  test('it judges nothing before twice the depth is reached, neither found nor missing', async () => {
    const row = await rowIn(
      store.ledger,
      newPayment({ ...FREE, claimedAt: time * 1000, validBefore: time + 28 }),
      { state: 'settled', transaction: HASH, settledAt: time * 1000, ...FREE },
    )
    advance(23)
    expect(await audit(deep())).toMatchObject({ missing: 0, open: 0 })
    advance(3)
    expect(await audit(deep())).toMatchObject({ missing: 0, open: 1 })
    advance(1)
    expect(await audit(deep())).toMatchObject({ missing: 1 })
    expect(await store.ledger.find(row)).toMatchObject({ audit: 'missing' })
  })

  test('a node that contradicts itself gives no finding', async () => {
    const reader = createMemoryChainReader(chain)
    await rowIn(store.ledger, newPayment({ ...FREE, claimedAt: time * 1000, validBefore: time + 4 }), {
      state: 'settled',
      transaction: HASH,
      settledAt: time * 1000,
      ...FREE,
    })
    advance(30)
    const lagging: ChainReader = { ...reader, authorizationUsed: async () => true }
    expect(await audit(deep(lagging))).toMatchObject({ missing: 0, open: 1 })
    expect(missing).toEqual([])
  })

  // Of several nodes behind one address one may lag, or index its logs late: it answers with none, and no error.
  test.each([
    ['since the claim: its log must be there, and the node that finds none gives no finding', false, 0, 1],
    ['before the claim: it was no payment of ours', true, 1, 0],
  ])('an authorization without a log that was used %s', async (_what, usedBefore, lost, open) => {
    const claimedBlock = 1n
    const row = await rowIn(
      store.ledger,
      newPayment({ ...FREE, claimedAt: time * 1000, claimedBlock, validBefore: time + 4 }),
      { state: 'settled', transaction: HASH, settledAt: time * 1000, ...FREE },
    )
    advance(30)
    const withoutLogs: ChainReader = {
      ...createMemoryChainReader(chain),
      trace: async () => ({ kind: 'used', payments: [], elsewhere: [] }),
      authorizationUsed: async (_payer, _nonce, atBlock) => atBlock !== claimedBlock || usedBefore,
    }
    expect(await audit(deep(withoutLogs))).toMatchObject({ missing: lost, open })
    expect(missing).toHaveLength(lost)
    expect(await store.ledger.find(row)).toMatchObject({ audit: usedBefore ? 'missing' : null })
  })

  test('a node that is gone ends the run quietly and flags no payment', async () => {
    const gone = () => Promise.reject(new ChainUnavailable('down'))
    await rowIn(store.ledger, newPayment({ ...FREE, claimedAt: time * 1000, validBefore: time - 4 }), {
      state: 'settled',
      transaction: HASH,
      settledAt: time * 1000,
      ...FREE,
    })
    advance(30)
    const reader = { ...createMemoryChainReader(chain), head: gone, trace: gone }
    expect(await audit(deep(reader))).toEqual({ found: 0, missing: 0, open: 0, complete: false })
    expect(missing).toEqual([])
  })

  test('a row that the node cannot answer for is asked about ever more rarely, and one it is too early for each time', async () => {
    const settled = (validBefore: number) =>
      rowIn(store.ledger, newPayment({ ...FREE, claimedAt: time * 1000, validBefore }), {
        state: 'settled',
        transaction: HASH,
        settledAt: time * 1000,
        ...FREE,
      })
    const [stuck, early] = [await settled(time + 4), await settled(time + 86_400 * 2)]
    const reader = createMemoryChainReader(chain)
    const looks = { [stuck.nonce]: 0, [early.nonce]: 0 }
    const failing: ChainReader = {
      ...reader,
      trace: (query) => {
        looks[query.nonce] = (looks[query.nonce] ?? 0) + 1
        return query.nonce === stuck.nonce
          ? Promise.reject(new ChainUnavailable('no answer'))
          : reader.trace(query)
      },
    }
    const backoff = createBackoff()
    advance(30)
    for (let minute = 0; minute < 600; minute += 1) {
      time += 60
      chain.head()
      expect(await audit(deep(failing, { backoff }))).toMatchObject({ open: 2, missing: 0 })
    }
    expect(looks[early.nonce]).toBe(600)
    // After 1, 2, 4, 8, 16 and 32 minutes, then once an hour.
    expect(looks[stuck.nonce]).toBe(15)
  })
})
