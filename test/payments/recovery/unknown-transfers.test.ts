import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ChainUnavailable, type IncomingTransfer } from '../../../src/payments/chain/chain-reader.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import { BASE_SEPOLIA } from '../../../src/payments/networks/base-sepolia.ts'
import {
  findUnknownTransfers,
  type TransferScanOptions,
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

  const options = (change: Partial<TransferScanOptions> = {}): TransferScanOptions => ({
    ledger: store.ledger,
    chain: funded.chain.chainReader,
    finalityDepth: 0n,
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
    expect(await findUnknownTransfers(options())).toEqual({ unknown: 0, complete: true })
    const { hash } = await pay()
    await funded.chain.fund(payTo, 5n)
    expect(await findUnknownTransfers(options())).toEqual({ unknown: 2, complete: true })
    expect(unknown.map(({ amount, nonce }) => [amount, nonce === null])).toEqual([
      [1000n, false],
      [5n, true],
    ])
    expect(unknown[0]).toMatchObject({ transaction: hash, from: payer.address.toLowerCase() })
    expect(await findUnknownTransfers(options())).toEqual({ unknown: 0, complete: true })
  })

  test('a payment with a row that may be paid is known; one whose row says that nothing was sent is not', async () => {
    await findUnknownTransfers(options())
    for (const state of ['settled', 'in_doubt', 'refused', 'void'] as const) {
      const { payment } = await pay()
      await rowIn(store.ledger, rowFor(payment), { state, transaction: HASH, ...FREE })
    }
    expect(await findUnknownTransfers(options())).toEqual({ unknown: 1, complete: true })
  })

  test('a transfer of nothing, which anyone can make in the name of any account, is not listed', async () => {
    await findUnknownTransfers(options())
    await funded.chain.fund(payTo, 0n)
    const nothing = await signPayment(payer, { ...termsFor(payTo), amount: '0' })
    await funded.chain.transact(TOKEN, transferCall(nothing))
    await funded.chain.fund(payTo, 5n)
    expect(await findUnknownTransfers(options())).toEqual({ unknown: 1, complete: true })
    expect(unknown.map(({ amount }) => amount)).toEqual([5n])
  })

  test('only final blocks are looked at, and a node that fails is asked again from the same place', async () => {
    await findUnknownTransfers(options())
    await pay()
    expect(await findUnknownTransfers(options({ finalityDepth: 1_000n }))).toMatchObject({ unknown: 0 })
    const failing = {
      ...funded.chain.chainReader,
      transfersTo: () => Promise.reject(new ChainUnavailable('no answer')),
    }
    expect(await findUnknownTransfers(options({ chain: failing }))).toEqual({ unknown: 0, complete: false })
    expect(await findUnknownTransfers(options())).toEqual({ unknown: 1, complete: true })
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
    const node = { transfers: [] as IncomingTransfer[], fault: null as Error | null }
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
        head: async () => ({ number: head, timestamp: 0 }),
        transfersTo: async (payee: string, from: bigint, to: bigint) => {
          expect(payee).toBe(PAYEE)
          if (node.fault !== null) throw node.fault
          ranges.push([from, to])
          return node.transfers.splice(0)
        },
      },
      finalityDepth: 12n,
      payee: { network, asset: '0xAA', payTo: PAYEE },
      onUnknown: (each: IncomingTransfer) => void unknown.push(each),
    }
    const find = (change: object = {}) => findUnknownTransfers({ ...options, ...change } as never)
    return { ranges, said, unknown, node, store, find }
  }

  test('goes on behind the last one, in steps, and keeps its position after each', async () => {
    const { find, ranges, said } = bench({ head: 5_512n })
    expect(await find()).toEqual({ unknown: 0, complete: true })
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

  test('looks at nothing where no block is final, or none is new', async () => {
    for (const [head, at] of [
      [12n, '0'],
      [1_012n, '1000'],
    ] as const) {
      const { find, ranges, said } = bench({ head, at })
      expect(await find()).toEqual({ unknown: 0, complete: true })
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
    expect(await find({ goOn })).toEqual({ unknown: 1, complete: false })
    expect(ranges).toHaveLength(2)
  })

  test('ends quietly where the node does not answer, and with any other fault', async () => {
    const { find, node } = bench()
    node.fault = new ChainUnavailable('down')
    expect(await find()).toEqual({ unknown: 0, complete: false })
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
    expect(await find()).toEqual({ unknown: 4, complete: true })
    expect(unknown).toEqual(listed)
    const { from: payer, nonce } = transfer()
    expect(store.asked).toEqual(Array(4).fill({ network: BASE.id, asset: '0xaa', payer, nonce }))
  })
})
