import type { PaymentPayload } from '@x402/core/types'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { BASE_CHAIN_ID, TOKEN } from '../../../src/sandbox/addresses.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

const HASH = `0x${'ab'.repeat(32)}`
const LEASE_MS = 31_000

let bench: SaleBench
let notes: boolean
beforeEach(async () => {
  notes = true
  bench = await startSaleBench({
    // Settles, and then says that nothing was sent.
    facilitator: (scripted) => ({
      ...scripted,
      settle: async (payload, requirements) => {
        if (notes) await bench.ledger.noteSent([keyOf(payload)], HASH)
        if (notes) await scripted.settle(payload, requirements)
        throw new ChainUnavailable('the chain could not be reached')
      },
    }),
  })
})
afterEach(() => bench.stop())

const keyOf = ({ payload }: PaymentPayload) => {
  const { from, nonce } = payload.authorization as { from: string; nonce: string }
  return {
    network: `eip155:${BASE_CHAIN_ID}`,
    asset: TOKEN.toLowerCase(),
    payer: from.toLowerCase(),
    nonce: nonce.toLowerCase(),
  }
}

test('"not sent" is not believed of a payment whose transaction is noted', async () => {
  const buyer = await bench.buyer()
  const { rawPayment, nonce } = await buyer.sign()
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
  expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'settling', transaction: HASH })
  bench.clock.advance(LEASE_MS)
  const unresolved = await bench.ledger.unresolved(bench.clock.now(), 10)
  expect(unresolved.map((row) => row.nonce)).toEqual([nonce])
  const again = await buyer.sign()
  expect(await bench.sell(again.rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
  expect(await bench.charged()).toBe(1)
})

test('"not sent" is believed where no transaction is noted', async () => {
  notes = false
  const buyer = await bench.buyer()
  const { rawPayment, nonce } = await buyer.sign()
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'chain_unavailable' })
  expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'claimed', owner: null, transaction: null })
})
