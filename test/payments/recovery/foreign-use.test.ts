import { afterEach, describe, expect, test } from 'vitest'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { memoryBenchChain } from '../../support/bench-chain.ts'
import { batchOf } from '../../support/chain-payments.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
afterEach(() => bench.stop())

const STRANGER = `0x${'99'.repeat(20)}` as const

describe('an authorization that was used before it was shown to us', () => {
  test('for us is in doubt for a day, since this store may have lost its sale, then 409', async () => {
    bench = await startSaleBench()
    const buyer = await bench.buyer()
    const { rawPayment, nonce, transfer } = await buyer.sign()
    await bench.chain.transact(TOKEN, transfer)
    bench.clock.advance(10_000)
    for (let tries = 0; tries < 2; tries += 1)
      expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'in_doubt' })
    bench.clock.advance(87_000_000)
    for (let tries = 0; tries < 2; tries += 1)
      expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_already_used' })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'void', refusal: 'payment_already_used' })
  })

  test.each([
    ['for another account', { to: STRANGER }],
    ['for another amount', { value: '1' }],
  ])('%s, and has ended, is 409', async (_, change) => {
    bench = await startSaleBench()
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    await bench.chain.transact(TOKEN, (await buyer.sign({ nonce, ...change })).transfer)
    bench.clock.advance(600_000)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_already_used' })
  })

  test('does not come to life by asking for another value or by a restart', async () => {
    bench = await startSaleBench()
    const { rawPayment, transfer } = await (await bench.buyer()).sign()
    await bench.chain.transact(TOKEN, transfer)
    bench.clock.advance(10_000)
    await bench.sell(rawPayment)
    await bench.restart()
    expect(await bench.sell(rawPayment, bench.call('other'))).toMatchObject({ code: 'payment_already_used' })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
  })
})

describe('an authorization that is used by others while we settle it', () => {
  test('for the same payee is a payment like any other', async () => {
    bench = await startSaleBench()
    const { rawPayment, transfer } = await (await bench.buyer()).sign()
    bench.facilitator.script.push({
      says: async () => {
        await bench.chain.transact(TOKEN, transfer)
        return { success: false, errorReason: 'invalid_exact_evm_nonce_already_used', transaction: '' }
      },
    })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('for another account, beside a payment to us, is not ours', async () => {
    bench = await startSaleBench()
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    const diverted = await buyer.sign({ nonce, to: STRANGER })
    const other = await buyer.sign()
    bench.facilitator.script.push({ says: 'unknown' }, { says: 'unknown' })
    const otherCall = bench.call('other value')
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    expect(await bench.sell(other.rawPayment, otherCall)).toMatchObject({ code: 'payment_in_doubt' })
    await bench.chain.transact(...batchOf(diverted.transfer, other.transfer))
    expect(await bench.charged()).toBe(1)
    for (let tries = 0; tries < 2; tries += 1)
      expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_expired' })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'void', refusal: 'payment_spent_elsewhere' })
    // The transfer beside it belongs to the other authorization, whose own row it settles.
    expect(await bench.sell(other.rawPayment, otherCall)).toMatchObject({ kind: 'sold' })
  })

  test('for another amount is not ours', async () => {
    bench = await startSaleBench()
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    bench.facilitator.script.push({ says: 'unknown' })
    await bench.sell(rawPayment)
    await bench.chain.transact(TOKEN, (await buyer.sign({ nonce, value: '1' })).transfer)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_expired' })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'void', refusal: 'payment_spent_elsewhere' })
  })

  test('for another account is doubtful until its block is final', async () => {
    bench = await startSaleBench({ finalityDepth: 12n })
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    const diverted = await buyer.sign({ nonce, to: STRANGER })
    bench.facilitator.script.push({ says: 'unknown' })
    await bench.sell(rawPayment)
    await bench.chain.transact(TOKEN, diverted.transfer)
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    for (let block = 0; block < 12; block += 1) {
      bench.clock.advance(2_000)
      bench.chain.headNumber()
    }
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_expired' })
  })
})

describe('an authorization that its owner cancels', () => {
  test.each([
    ['before the sale', true],
    ['in the middle of it', false],
  ])('%s is never a payment', async (_, before) => {
    bench = await startSaleBench()
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    const cancel = async () => bench.chain.transact(TOKEN, await buyer.cancel(nonce))
    if (before) await cancel()
    else {
      bench.facilitator.script.push({ says: 'unknown' })
      expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
      await cancel()
    }
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_expired' })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'void' })
    expect(await bench.charged()).toBe(0)
  })
})

describe('a clock that is five minutes off', () => {
  test.each([
    ['ahead of', -300],
    ['behind', 300],
  ])('%s the chain’s does not lose a payment', async (_, offset) => {
    bench = await startSaleBench({
      chain: (clock) => memoryBenchChain({ ...clock, seconds: () => clock.seconds() + offset }),
    })
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign({ validBefore: String(bench.clock.seconds() + 415) })
    bench.facilitator.script.push({ lands: 'before', says: 'unknown' })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'settled', audit: null })
  })
})
