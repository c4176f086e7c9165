import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ChainUnavailable, type IncomingTransfer } from '../../../src/payments/chain/chain-reader.ts'
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
