/** Words of a facilitator or a node that say that nothing was charged, and what happens where they are wrong. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FacilitatorFault } from '../../src/payments/facilitators/facilitator-fault.ts'
import { TOKEN } from '../../src/sandbox/addresses.ts'
import { type SaleBench, startSaleBench } from '../support/sale-bench.ts'

let bench: SaleBench
afterEach(() => bench.stop())

const refusal = () => ({
  success: false,
  errorReason: 'invalid_exact_evm_signature',
  transaction: '',
  network: 'eip155:8453',
})
const turnedAway = () => {
  throw new FacilitatorFault('not_sent', 'settle was answered with status 429', { answered: true })
}

describe('where the chain has to prove a settlement, a facilitator is not believed either that', () => {
  beforeEach(async () => {
    bench = await startSaleBench({ proofOnChain: true })
  })

  test.each([
    ['it refused a payment', refusal],
    ['it did not look at a payment', turnedAway],
  ])('%s which has landed', async (_what, says) => {
    const buyer = await bench.buyer()
    const { rawPayment } = await buyer.sign()
    bench.facilitator.script.push({ lands: 'before', says })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('it refused one that has not: the buyer learns it, and the row stays open for the chain', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    bench.facilitator.script.push({ says: refusal })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_invalid_signature' })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'refused' })
  })

  test('it did not look at one that has not landed: in doubt, and settled when it is sent again', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    bench.facilitator.script.push({ says: turnedAway })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'in_doubt', doubt: 'denied' })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })
})

test('a node that was wrong about an earlier use does not cost the buyer the answer', async () => {
  bench = await startSaleBench()
  const buyer = await bench.buyer()
  // So that there is a block from before the claim.
  bench.clock.advance(10_000)
  const { rawPayment, nonce, transfer } = await buyer.sign()
  const { authorizationUsed, trace } = bench.reader
  bench.reader.authorizationUsed = async () => true
  bench.reader.trace = async () => ({ kind: 'used', payments: [], elsewhere: [] })
  bench.facilitator.script.push({ says: 'unknown' })
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_already_used' })
  expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'void' })

  Object.assign(bench.reader, { authorizationUsed, trace })
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_already_used' })
  await bench.chain.transact(TOKEN, transfer)
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
  expect(await bench.charged()).toBe(1)
})
