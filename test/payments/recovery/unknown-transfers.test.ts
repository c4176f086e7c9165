import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { NewPayment } from '../../../src/ledger/payments/new-payment.ts'
import type { PaymentChange } from '../../../src/ledger/payments/payment-row.ts'
import {
  type ChainReader,
  ChainUnavailable,
  type IncomingTransfer,
} from '../../../src/payments/chain/chain-reader.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import { BASE_SEPOLIA } from '../../../src/payments/networks/base-sepolia.ts'
import { createBackoff } from '../../../src/payments/recovery/backoff.ts'
import { type RecoverOptions, runRecovery } from '../../../src/payments/recovery/run-recovery.ts'
import {
  findUnknownTransfers,
  type UnknownTransferOptions,
} from '../../../src/payments/recovery/unknown-transfers.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { BACKENDS } from '../../support/chain-backends.ts'
import { signPayment, termsFor, transferCall } from '../../support/chain-payments.ts'
import { fundedChain } from '../../support/funded-chain.ts'
import { openTempLedger, rowFor, rowIn, type TempLedger } from '../../support/temp-ledger.ts'

const HASH = `0x${'12'.repeat(32)}`
const FREE = { owner: null, leaseUntil: 0 } as const

let store: TempLedger
let unknown: IncomingTransfer[]
beforeEach(async () => {
  store = await openTempLedger()
  unknown = []
})
afterEach(() => store.close())

describe.each(BACKENDS)('transfers to PAY_TO that no row accounts for (%s)', (_, start) => {
  const funded = fundedChain(start)
  const { payer, payTo } = funded

  const options = (change: Partial<UnknownTransferOptions> = {}): UnknownTransferOptions => ({
    ledger: store.ledger,
    chain: funded.chain.chainReader,
    payee: { network: 'eip155:8453', asset: TOKEN, payTo },
    onUnknown: (transfer) => void unknown.push(transfer),
    ...change,
  })
  const pay = async () => {
    const payment = await signPayment(payer, termsFor(payTo))
    return { payment, hash: await funded.chain.transact(TOKEN, transferCall(payment)) }
  }

  test('what came before the first run is not listed; afterwards everything is, once', async () => {
    await pay()
    expect(await findUnknownTransfers(options())).toEqual({ unknown: 0, found: 0, complete: true })
    const { hash } = await pay()
    await funded.chain.fund(payTo, 5n)
    expect(await findUnknownTransfers(options())).toEqual({ unknown: 2, found: 0, complete: true })
    expect(unknown.map(({ amount, nonce }) => [amount, nonce === null])).toEqual([
      [1000n, false],
      [5n, true],
    ])
    expect(unknown[0]).toMatchObject({ transaction: hash, from: payer.address.toLowerCase() })
    expect(await findUnknownTransfers(options())).toEqual({ unknown: 0, found: 0, complete: true })
  })

  test('a payment with a row that may be paid is known; one whose row says that nothing was sent is not', async () => {
    await findUnknownTransfers(options())
    for (const state of ['settled', 'in_doubt', 'refused', 'void'] as const) {
      const { payment } = await pay()
      await rowIn(store.ledger, rowFor(payment), { state, transaction: HASH, ...FREE })
    }
    expect(await findUnknownTransfers(options())).toEqual({ unknown: 1, found: 0, complete: true })
  })

  test('a transfer of nothing, which anyone can make in the name of any account, is not listed', async () => {
    await findUnknownTransfers(options())
    await funded.chain.fund(payTo, 0n)
    const nothing = await signPayment(payer, { ...termsFor(payTo), amount: '0' })
    await funded.chain.transact(TOKEN, transferCall(nothing))
    await funded.chain.fund(payTo, 5n)
    expect(await findUnknownTransfers(options())).toEqual({ unknown: 1, found: 0, complete: true })
    expect(unknown.map(({ amount }) => amount)).toEqual([5n])
  })

  test('only final blocks are looked at, and a node that fails is asked again from the same place', async () => {
    await findUnknownTransfers(options())
    await pay()
    const young = { ...funded.chain.chainReader, finalityDepth: 1_000n }
    expect(await findUnknownTransfers(options({ chain: young }))).toMatchObject({ unknown: 0 })
    const failing = {
      ...funded.chain.chainReader,
      transfersTo: () => Promise.reject(new ChainUnavailable('no answer')),
    }
    expect(await findUnknownTransfers(options({ chain: failing }))).toEqual({
      unknown: 0,
      found: 0,
      complete: false,
    })
    expect(await findUnknownTransfers(options())).toEqual({ unknown: 1, found: 0, complete: true })
  })
})

describe.each(BACKENDS)('settled rows whose transfer the scan sees (%s)', (_, start) => {
  const funded = fundedChain(start)
  const { payer, payTo } = funded
  const payee = { network: 'eip155:8453', asset: TOKEN, payTo }
  const asked: string[] = []
  const node = (): ChainReader => ({
    ...funded.chain.chainReader,
    trace: (query) => {
      asked.push(query.nonce)
      return funded.chain.chainReader.trace(query)
    },
  })
  const recover = async (chain: ChainReader = node(), change: Partial<RecoverOptions> = {}) => {
    asked.length = 0
    const recovery = await runRecovery({
      ...{ ledger: store.ledger, chain, payee, owner: 'boot-1' },
      now: () => Date.now() + 1_000,
      onMissing: () => {},
      onUnknown: (transfer) => void unknown.push(transfer),
      ...change,
    })
    return [recovery?.audited.found, recovery?.audited.open, recovery?.scanned.unknown]
  }
  const sold = async (change: Partial<NewPayment> = {}, settled: PaymentChange = {}) => {
    const payment = await signPayment(payer, termsFor(payTo))
    const { number: claimedBlock } = await funded.chain.chainReader.head()
    const hash = await funded.chain.transact(TOKEN, transferCall(payment))
    const row = await rowIn(store.ledger, rowFor(payment, { claimedBlock, ...change }), {
      ...{ state: 'settled', transaction: HASH, settledAt: Date.now(), ...FREE },
      ...settled,
    })
    return { row, hash }
  }

  test('are found, with its place, and the node is asked about none of them', async () => {
    await recover()
    const sales = [await sold(), await sold(), await sold()]
    expect(await recover()).toEqual([3, 0, 0])
    expect(asked).toEqual([])
    for (const { row, hash } of sales)
      expect(await store.ledger.find(row)).toMatchObject({
        audit: 'found',
        transaction: hash,
        logIndex: expect.any(Number),
      })
    expect(await recover()).toEqual([0, 0, 0])
  })

  test.each<[string, Partial<NewPayment>, PaymentChange]>([
    ['was claimed without a block', { claimedBlock: null }, {}],
    ['was claimed after the transfer', { claimedBlock: 10n ** 9n }, {}],
    ['is for another payee', { payTo: `0x${'12'.repeat(20)}` }, {}],
  ])('stay for the audit if the row %s', async (_what, change, settled) => {
    await recover()
    const { row } = await sold(change, settled)
    const scan = await findUnknownTransfers({
      ...{ ledger: store.ledger, chain: node(), payee },
      onUnknown: (transfer) => void unknown.push(transfer),
    })
    expect(scan).toEqual({ unknown: 0, found: 0, complete: true })
    expect(await store.ledger.find(row)).toEqual(row)
  })

  test('stay as they are if the transfer is of another amount, which is unknown money', async () => {
    await recover()
    const { row } = await sold({ amount: 999n })
    expect(await recover()).toEqual([0, 1, 1])
    expect(await store.ledger.find(row)).toEqual(row)
  })

  test('keep what an earlier look found missing or found', async () => {
    await recover()
    const { row } = await sold({}, { audit: 'missing' })
    expect(await recover()).toEqual([0, 0, 0])
    expect(await store.ledger.find(row)).toEqual(row)
  })

  test('are asked about one by one if the node omits their log, or a reorganisation took the transfer out of the step', async () => {
    await recover()
    const { row, hash } = await sold()
    const omitting: ChainReader = {
      ...node(),
      transfersTo: async (_payee, _from, toBlock) => ({ transfers: [], toBlock }),
    }
    expect(await recover(omitting)).toEqual([1, 0, 0])
    expect(asked).toEqual([row.nonce])
    expect(await store.ledger.find(row)).toMatchObject({ audit: 'found', transaction: hash })
  })

  test('are found from the kept position on after a stop between two answers of the node', async () => {
    await recover()
    const [first, second] = [await sold(), await sold()]
    const oneBlock: ChainReader = {
      ...node(),
      transfersTo: async (to, from) => funded.chain.chainReader.transfersTo(to, from, from),
    }
    const isFound = async () => (await store.ledger.find(first.row))?.audit === 'found'
    const stopped = await findUnknownTransfers({
      ...{ ledger: store.ledger, chain: oneBlock, payee, onUnknown: () => {} },
      goOn: async () => !(await isFound()),
    })
    expect(stopped).toEqual({ unknown: 0, found: 1, complete: false })
    expect(await recover()).toEqual([1, 0, 0])
    for (const { row, hash } of [first, second])
      expect(await store.ledger.find(row)).toMatchObject({ audit: 'found', transaction: hash })
  })

  test('make a row in doubt due in the next run, however long it was to wait', async () => {
    await recover()
    const backoff = createBackoff()
    for (const state of ['in_doubt', 'refused'] as const) {
      const { row } = await sold({}, { state, settledAt: null })
      backoff.postpone(row, Date.now() + 3_600_000)
      await recover(node(), { backoff })
      expect(await store.ledger.find(row)).toMatchObject({ state })
      await recover(node(), { backoff })
      expect(await store.ledger.find(row)).toMatchObject({ state: 'settled' })
    }
  })

  test('end the same when two replicas scan at once', async () => {
    await recover()
    const { row, hash } = await sold()
    const [one, other] = await Promise.all([recover(), recover()])
    expect([one, other]).toContainEqual([1, 0, 0])
    expect(await store.ledger.find(row)).toMatchObject({ audit: 'found', transaction: hash })
  })
})

describe('the walk over the blocks', () => {
  const PAYEE = `0x${'Ab'.repeat(20)}` as const
  const POSITION = `scanned-to/${PAYEE.toLowerCase()}`
  const transfer = (change: Partial<IncomingTransfer> = {}): IncomingTransfer => ({
    ...{ transaction: `0x${'12'.repeat(32)}`, logIndex: 0, blockNumber: 1n, from: `0x${'cd'.repeat(20)}` },
    ...{ amount: 1_000n, nonce: `0x${'ef'.repeat(32)}` },
    ...change,
  })
  function bench({ head = 10_012n, at = '1000', network = BASE.id as string } = {}) {
    const facts = new Map([[POSITION, at]])
    const [ranges, said, unknown] = [[] as bigint[][], [] as string[], [] as IncomingTransfer[]]
    const node = { transfers: [] as IncomingTransfer[], fault: null as Error | null, most: 9_999n }
    const store = { rows: [] as object[], asked: [] as object[] }
    const options = {
      ledger: {
        find: async (key: object) => {
          store.asked.push(key)
          return store.rows.shift() ?? null
        },
        ensureFact: async (fact: string, first: string) => {
          said.push(`${fact} ${first}`)
          return facts.get(fact) ?? first
        },
        replaceFact: async (fact: string, seen: string, next: string) => {
          said.push(`${fact} ${seen} ${next}`)
          return next
        },
      },
      chain: {
        finalityDepth: 12n,
        head: async () => ({ number: head, timestamp: 0 }),
        transfersTo: async (payee: string, from: bigint, to: bigint) => {
          expect(payee).toBe(PAYEE)
          if (node.fault !== null) throw node.fault
          const toBlock = from + node.most - 1n < to ? from + node.most - 1n : to
          ranges.push([from, toBlock])
          return { transfers: node.transfers.splice(0), toBlock }
        },
      },
      payee: { network, asset: '0xAA', payTo: PAYEE },
      onUnknown: (each: IncomingTransfer) => void unknown.push(each),
    }
    const find = (change: object = {}) => findUnknownTransfers({ ...options, ...change } as never)
    return { ranges, said, unknown, node, store, find }
  }

  test('goes on behind the last one, in steps, and keeps its position after each', async () => {
    const { find, ranges, said } = bench({ head: 5_512n })
    expect(await find()).toEqual({ unknown: 0, found: 0, complete: true })
    expect(ranges).toEqual([
      [1_001n, 3_000n],
      [3_001n, 5_000n],
      [5_001n, 5_500n],
    ])
    expect(said).toEqual([
      `${POSITION} 5500`,
      ...[`${POSITION} 1000 3000`, `${POSITION} 3000 5000`, `${POSITION} 5000 5500`],
    ])
    const even = bench({ head: 3_012n })
    await even.find()
    expect(even.ranges).toEqual([[1_001n, 3_000n]])
  })

  test('takes what the node gives in one answer, keeps its position after each, and asks for more again', async () => {
    const { find, ranges, said, node, unknown } = bench({ head: 5_012n })
    node.most = 500n
    const paid = transfer({ blockNumber: 1_400n })
    node.transfers = [paid]
    let steps = 0
    const goOn = async () => {
      steps += 1
      if (steps > 2) node.most = 9_999n
      return true
    }
    expect(await find({ goOn })).toEqual({ unknown: 1, found: 0, complete: true })
    expect(unknown).toEqual([paid])
    expect(ranges).toEqual([
      [1_001n, 1_500n],
      [1_501n, 2_000n],
      [2_001n, 3_000n],
      [3_001n, 5_000n],
    ])
    expect(said.slice(1)).toEqual([
      ...[`${POSITION} 1000 1500`, `${POSITION} 1500 2000`],
      ...[`${POSITION} 2000 3000`, `${POSITION} 3000 5000`],
    ])
  })

  test('looks at nothing where no block is final, or none is new', async () => {
    for (const [head, at] of [
      [12n, '0'],
      [1_012n, '1000'],
    ] as const) {
      const { find, ranges, said } = bench({ head, at })
      expect(await find()).toEqual({ unknown: 0, found: 0, complete: true })
      expect([ranges, said]).toEqual([[], [`${POSITION} ${head - 12n}`]])
    }
  })

  test('keeps the position of each network; that of Base has no name', async () => {
    const { find, said } = bench({ network: BASE_SEPOLIA.id, head: 20n })
    await find()
    expect(said[0]).toBe(`scanned-to/${BASE_SEPOLIA.id}/${PAYEE.toLowerCase()} 8`)
  })

  test('ends before the next step once it must not go on', async () => {
    const { find, ranges, node } = bench()
    node.transfers = [transfer()]
    let steps = 2
    const goOn = async () => {
      steps -= 1
      return steps >= 0
    }
    expect(await find({ goOn })).toEqual({ unknown: 1, found: 0, complete: false })
    expect(ranges).toHaveLength(2)
  })

  test('ends quietly where the node does not answer, and with any other fault', async () => {
    const { find, node } = bench()
    node.fault = new ChainUnavailable('down')
    expect(await find()).toEqual({ unknown: 0, found: 0, complete: false })
    node.fault = new TypeError('a defect')
    await expect(find()).rejects.toThrow('a defect')
  })

  test('lists a transfer once, though the store fails at a later one of its step', async () => {
    const { find, node, unknown } = bench()
    const listed = [transfer({ logIndex: 0 }), transfer({ logIndex: 1 })]
    node.transfers = [...listed]
    let asked = 0
    const fails = async () => {
      asked += 1
      if (asked === 2) throw new Error('the store is away')
      return null
    }
    const ledger = { find: fails, ensureFact: async () => '1000', replaceFact: async () => '1500' }
    await expect(find({ ledger })).rejects.toThrow('the store is away')
    node.transfers = [...listed]
    await find({ ledger })
    expect(unknown).toEqual(listed)
  })

  test('asks the store for the row of each authorization, and lists what that does not account for', async () => {
    const { find, node, store, unknown } = bench()
    const listed = [
      transfer({ logIndex: 2 }),
      transfer({ logIndex: 3 }),
      transfer({ logIndex: 4, nonce: null }),
      transfer({ logIndex: 5, amount: 1n, nonce: null }),
    ]
    node.transfers = [
      ...[transfer({ logIndex: 0 }), transfer({ logIndex: 1 })],
      ...listed,
      transfer({ logIndex: 6, amount: 0n }),
      transfer({ nonce: null, from: BASE.contracts.channels.toLowerCase() as `0x${string}` }),
    ]
    store.rows = [
      { amount: 1_000n, state: 'settling' },
      { amount: 1_000n, state: 'settled' },
      { amount: 999n, state: 'settled' },
      { amount: 1_000n, state: 'claimed' },
    ]
    expect(await find()).toEqual({ unknown: 4, found: 0, complete: true })
    expect(unknown).toEqual(listed)
    const { from: payer, nonce } = transfer()
    expect(store.asked).toEqual(Array(4).fill({ network: BASE.id, asset: '0xaa', payer, nonce }))
  })
})
