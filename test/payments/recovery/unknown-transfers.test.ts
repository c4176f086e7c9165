import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ChainUnavailable, type IncomingTransfer } from '../../../src/payments/chain/chain-reader.ts'
import {
  findUnknownTransfers,
  type TransferScanOptions,
} from '../../../src/payments/recovery/unknown-transfers.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import type { ChainBackend } from '../../../src/sandbox/chain/chain-backend.ts'
import { BACKENDS } from '../../support/chain-backends.ts'
import { freshAccount, signPayment, termsFor, transferCall } from '../../support/chain-payments.ts'
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
  const payer = freshAccount()
  const payTo = freshAccount().address
  let chain: ChainBackend

  beforeAll(async () => {
    chain = await start()
    await chain.fund(payer.address, 1_000_000n)
  })
  afterAll(() => chain.stop())

  const options = (change: Partial<TransferScanOptions> = {}): TransferScanOptions => ({
    ledger: store.ledger,
    chain: chain.chainReader,
    finalityDepth: 0n,
    payee: { network: 'eip155:8453', asset: TOKEN, payTo },
    onUnknown: (transfer) => void unknown.push(transfer),
    ...change,
  })
  const pay = async () => {
    const payment = await signPayment(payer, termsFor(payTo))
    return { payment, hash: await chain.transact(TOKEN, transferCall(payment)) }
  }

  test('what came before the first run is not listed; afterwards everything is, once', async () => {
    await pay()
    expect(await findUnknownTransfers(options())).toEqual({ unknown: 0, complete: true })
    const { hash } = await pay()
    await chain.fund(payTo, 5n)
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

  test('only final blocks are looked at, and a node that fails is asked again from the same place', async () => {
    await findUnknownTransfers(options())
    await pay()
    expect(await findUnknownTransfers(options({ finalityDepth: 1_000n }))).toMatchObject({ unknown: 0 })
    const failing = {
      ...chain.chainReader,
      transfersTo: () => Promise.reject(new ChainUnavailable('no answer')),
    }
    expect(await findUnknownTransfers(options({ chain: failing }))).toEqual({ unknown: 0, complete: false })
    expect(await findUnknownTransfers(options())).toEqual({ unknown: 1, complete: true })
  })
})
