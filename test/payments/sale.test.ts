import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type SaleBench, startSaleBench } from '../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

describe('a sale', () => {
  test('takes one payment, one round trip and one check run', async () => {
    const buyer = await bench.buyer()
    const { proof, nonce } = await buyer.sign()
    const sale = await bench.sell(proof)
    expect(sale).toMatchObject({
      kind: 'sold',
      replayed: false,
      verdict: { valid: true },
      settlement: { success: true },
    })
    expect(bench.checkRuns()).toBe(1)
    expect(await bench.charged()).toBe(1)
    expect(bench.facilitator.settled).toHaveLength(1)
    expect(bench.facilitator.verified).toHaveLength(0)
    expect(await bench.row(buyer, nonce)).toMatchObject({
      state: 'settled',
      owner: null,
      leaseUntil: 0,
      attempts: 1,
    })
  })
})
