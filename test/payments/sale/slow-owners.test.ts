import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { NETWORK } from '../../../src/payments/terms/terms.ts'
import { newPayment } from '../../support/payment-rows.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

/** An authorization that a process has claimed and then done nothing with, until its lease was over. */
async function abandonedClaim() {
  const buyer = await bench.buyer()
  const { proof, nonce, payload } = await buyer.sign()
  const { terms } = bench.layer
  const outcome = await bench.ledger.claim(
    newPayment({
      ...{ network: NETWORK, asset: terms.asset, payer: buyer.address.toLowerCase(), nonce },
      ...{ amount: 1_000n, payTo: terms.payTo.toLowerCase() },
      validBefore: Number((payload.payload.authorization as { validBefore: string }).validBefore),
      ...{ owner: 'slow', leaseUntil: bench.clock.now() + 30_000, claimedAt: bench.clock.now() },
    }),
  )
  if (outcome.kind !== 'claimed') throw new Error(outcome.kind)
  bench.clock.advance(31_000)
  return { proof, claimed: outcome.row }
}

describe('a process that comes back after its lease', () => {
  test('cannot send an authorization any more whose buyer was told that it has expired', async () => {
    const { proof, claimed } = await abandonedClaim()
    bench.clock.advance(82_000)
    expect(await bench.sell(proof)).toMatchObject({ kind: 'unpaid', code: 'payment_expired' })
    expect(await bench.ledger.move(claimed, { state: 'settling' })).toBeNull()
    expect(bench.facilitator.settled).toHaveLength(0)
  })

  test('cannot send one either whose buyer was told that no payment is taken now', async () => {
    const { proof, claimed } = await abandonedClaim()
    bench.money.flows = false
    expect(await bench.sell(proof)).toMatchObject({ code: 'facilitator_unavailable' })
    expect(await bench.ledger.move(claimed, { state: 'settling' })).toBeNull()
    bench.money.flows = true
    expect(await bench.sell(proof)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })
})
