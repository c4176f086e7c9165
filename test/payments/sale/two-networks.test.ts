/** A service that sells on two networks; test/e2e/two-networks.test.ts does so on two nodes. */
import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, PaymentRequired } from '@x402/core/types'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWallet } from '../../../packages/command/src/buyer/wallet.ts'
import {
  type AuthorizationTrace,
  type ChainReader,
  ChainUnavailable,
} from '../../../src/payments/chain/chain-reader.ts'
import { FacilitatorFault } from '../../../src/payments/facilitators/facilitator-fault.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import { BASE_SEPOLIA } from '../../../src/payments/networks/base-sepolia.ts'
import type { Network } from '../../../src/payments/networks/network.ts'
import type { RawPayment } from '../../../src/payments/ports/sale.ts'
import { rawPaymentOf } from '../../support/bench-buyer.ts'
import { signPayment, termsFor } from '../../support/chain-payments.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

/** What the other network's node says of any authorization; null if it does not answer. */
let trace: AuthorizationTrace | null
let settled: number
let bench: SaleBench
let key: ReturnType<typeof generatePrivateKey>
beforeEach(async () => {
  trace = { kind: 'unused' }
  settled = 0
  const head = async () => ({ number: 1_000n, timestamp: bench.clock.seconds() })
  bench = await startSaleBench({
    others: [
      {
        network: BASE_SEPOLIA,
        chain: {
          finalityDepth: 0n,
          head,
          block: head,
          hasCode: async () => false,
          balance: async () => 1_000_000n,
          authorizationUsed: async () => trace?.kind === 'used',
          trace: async () => {
            if (trace === null) throw new ChainUnavailable('away')
            return trace
          },
        } as Partial<ChainReader> as ChainReader,
        facilitator: {
          settle: () => {
            settled += 1
            return Promise.reject(new FacilitatorFault('unknown', 'no reply'))
          },
        } as Partial<FacilitatorClient> as FacilitatorClient,
        pausedBy: () => null,
      },
    ],
  })
  key = generatePrivateKey()
  await bench.chain.fund(privateKeyToAddress(key), 1_000_000n)
})
afterEach(() => bench.stop())

const terms = async (): Promise<PaymentRequired> =>
  (await bench.layer.quotes.of({ shape: 'single', type: 'iban', items: 1 }, 'rest')).required(
    'payment_required',
  )
const signOn = async (network: Network) => {
  const required = await terms()
  const accepted = required.accepts.find((each) => each.network === network.id)
  if (accepted === undefined) throw new Error('no terms')
  return rawPaymentOf(await createWallet(key, network).sign(required, accepted))
}
const payloadOf = (raw: RawPayment): PaymentPayload => {
  if (raw.kind !== 'text') throw new Error('not a header')
  return JSON.parse(Buffer.from(raw.text, 'base64').toString())
}
const PAID_THERE: AuthorizationTrace = {
  kind: 'used',
  payments: [{ transaction: `0x${'ab'.repeat(32)}`, logIndex: 1, blockNumber: 1_001n }],
  elsewhere: [],
}

test('the terms name both, the first one first, and each has an offer that is signed', async () => {
  const { accepts, extensions } = await terms()
  expect(accepts.map(({ network }) => network)).toEqual([BASE.id, BASE_SEPOLIA.id])
  expect(accepts.map(({ extra }) => extra)).toEqual([BASE, BASE_SEPOLIA].map(({ token }) => token.domain))
  const { info } = extensions?.['offer-receipt'] as { info: { offers: { signature: string }[] } }
  const offers = info.offers.map(({ signature }) =>
    JSON.parse(Buffer.from(signature.split('.')[1] ?? '', 'base64url').toString()),
  )
  expect(offers.map(({ network, asset }) => [network, asset])).toEqual(
    accepts.map(({ network, asset }) => [network, asset]),
  )
})

test('a payment for neither is refused', async () => {
  const { payload } = await (await bench.buyer()).sign()
  const elsewhere = rawPaymentOf({ ...payload, accepted: { ...payload.accepted, network: 'eip155:1' } })
  expect(await bench.sell(elsewhere)).toMatchObject({ kind: 'unpaid', code: 'payment_terms_mismatch' })
  expect([settled, bench.facilitator.settled.length]).toEqual([0, 0])
})

test('a signature for one is not taken on the other', async () => {
  const { accepts } = await terms()
  const payload = { ...payloadOf(await signOn(BASE)), accepted: accepts[1] }
  expect(await bench.sell(rawPaymentOf(payload))).toMatchObject({ code: 'payment_invalid_signature' })
  expect(settled).toBe(0)
})

describe('a payment in doubt on the other network', () => {
  test('answers the same call when it is paid for here, once its own chain shows it', async () => {
    expect(await bench.sell(await signOn(BASE_SEPOLIA))).toMatchObject({ code: 'payment_in_doubt' })
    const again = await signOn(BASE)
    // Base's node would say that it was never used.
    trace = null
    expect(await bench.sell(again)).toMatchObject({ code: 'payment_in_doubt' })
    trace = PAID_THERE
    const sale = await bench.sell(again)
    expect(sale).toMatchObject({ kind: 'sold', replayed: true, settlement: { network: BASE_SEPOLIA.id } })
    expect([settled, await bench.charged()]).toEqual([1, 0])
  })

  test('answers the same call under the same nonce too: on two networks it is two payments', async () => {
    const there = await signOn(BASE_SEPOLIA)
    expect(await bench.sell(there)).toMatchObject({ code: 'payment_in_doubt' })
    const { nonce } = (payloadOf(there).payload as { authorization: { nonce: Hex } }).authorization
    const { payload } = await signPayment(privateKeyToAccount(key), termsFor(bench.payTo), { nonce })
    expect(await bench.sell(rawPaymentOf(payload))).toMatchObject({ code: 'payment_in_doubt' })
    expect(await bench.charged()).toBe(0)
    trace = PAID_THERE
    const sale = await bench.sell(rawPaymentOf(payload))
    expect(sale).toMatchObject({ kind: 'sold', settlement: { network: BASE_SEPOLIA.id } })
    expect([settled, await bench.charged()]).toEqual([1, 0])
  })

  test('stays so once the service has left that network, and nothing is charged here', async () => {
    expect(await bench.sell(await signOn(BASE_SEPOLIA))).toMatchObject({ code: 'payment_in_doubt' })
    const alone = await startSaleBench()
    try {
      const layer = await alone.replica({ ledger: bench.ledger, keys: bench.keys, payTo: bench.payTo })
      const sale = await layer.sell(bench.call(), await signOn(BASE))
      expect(sale).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
      expect(await alone.charged()).toBe(0)
    } finally {
      await alone.stop()
    }
  })
})
