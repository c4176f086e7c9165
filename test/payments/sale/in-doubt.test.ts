import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'
import type { SettleAct } from '../../support/scripted-facilitator.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

const IN_DOUBT = { kind: 'declined', code: 'payment_in_doubt', retryAfterSeconds: 10 }
const HASH = `0x${'ab'.repeat(32)}`
const failed =
  (errorReason: string, transaction = '') =>
  () => ({ success: false, errorReason, transaction, network: 'eip155:8453' })
const chainDown = () => {
  const honest = bench.reader.head
  bench.reader.head = () => Promise.reject(new ChainUnavailable('down'))
  return () => {
    bench.reader.head = honest
  }
}

describe('a doubtful outcome without a transfer', () => {
  test.each<[string, SettleAct[]]>([
    ['no reply', [{ says: 'unknown' }]],
    ['transaction_failed', [{ says: failed('invalid_exact_evm_transaction_failed', HASH) }]],
    ['a failed simulation', [{ says: failed('invalid_exact_evm_transaction_simulation_failed') }]],
    ['nonce already used', [{ says: failed('invalid_exact_evm_nonce_already_used') }]],
    ['an unknown reason', [{ says: failed('something_new') }]],
    ['a known refusal, yet with a transaction', [{ says: failed('insufficient_funds', HASH) }]],
    [
      'pending twice',
      [{ says: failed('settlement_pending', HASH) }, { says: failed('settlement_pending', HASH) }],
    ],
    ['an empty object', [{ says: () => ({}) }]],
    ['null', [{ says: () => null }]],
    ['a text', [{ says: () => 'success' }]],
  ])('is 503 in doubt, and the row says so: %s', async (_, acts) => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    bench.facilitator.script.push(...acts)
    expect(await bench.sell(rawPayment)).toEqual(IN_DOUBT)
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'in_doubt', owner: null, leaseUntil: 0 })
    // The repeat sends it again, since the chain says that it was not used.
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })
})

describe('a doubtful outcome after the transfer was made', () => {
  test.each<[string, SettleAct]>([
    ['no reply', { lands: 'before', says: 'unknown' }],
    ['transaction_failed', { lands: 'before', says: failed('invalid_exact_evm_transaction_failed', HASH) }],
    ['nonce already used', { lands: 'before', says: failed('invalid_exact_evm_nonce_already_used') }],
    ['garbage', { lands: 'before', says: () => ({ success: 'yes' }) }],
  ])('is answered from the chain at once: %s', async (_, act) => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    bench.facilitator.script.push(act)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'settled', audit: null, logIndex: 0 })
    expect(await bench.charged()).toBe(1)
  })

  test('is in doubt while the chain is down, and answered once it is back', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    const up = chainDown()
    bench.facilitator.script.push({ lands: 'before', says: 'unknown' })
    expect(await bench.sell(rawPayment)).toEqual(IN_DOUBT)
    expect(await bench.sell(rawPayment)).toEqual(IN_DOUBT)
    expect(bench.facilitator.settled).toHaveLength(1)
    up()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'settled' })
    expect(await bench.charged()).toBe(1)
  })

  test('is answered from the chain when the re-send hears that the nonce is used', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.facilitator.script.push(
      { says: 'unknown' },
      { lands: 'before', says: failed('invalid_exact_evm_nonce_already_used') },
    )
    expect(await bench.sell(rawPayment)).toEqual(IN_DOUBT)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('is never refused for what a second try says', async () => {
    const buyer = await bench.buyer(1_000n)
    const { rawPayment } = await buyer.sign()
    // The first try is pending and lands; the core asks again by itself, and hears of an empty account.
    bench.facilitator.script.push(
      { lands: 'after', says: failed('settlement_pending', HASH) },
      { says: failed('invalid_exact_evm_insufficient_balance') },
    )
    expect(await bench.sell(rawPayment)).toEqual(IN_DOUBT)
    await bench.facilitator.landLate()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('is never refused for a balance that this very payment has just used up', async () => {
    const buyer = await bench.buyer(1_000n)
    const { rawPayment } = await buyer.sign()
    bench.facilitator.script.push({ lands: 'after', says: 'unknown' })
    const balance = bench.reader.balance
    bench.reader.balance = async (payer) => {
      await bench.facilitator.landLate()
      return balance(payer)
    }
    expect(await bench.sell(rawPayment)).not.toMatchObject({ kind: 'unpaid' })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('is never refused while a transaction is said to be under way', async () => {
    const buyer = await bench.spender(500n)
    const { rawPayment } = await buyer.sign()
    bench.facilitator.script.push(
      { says: failed('settlement_pending', HASH) },
      { lands: 'after', says: failed('settlement_pending', HASH) },
    )
    expect(await bench.sell(rawPayment)).toEqual(IN_DOUBT)
    await bench.chain.fund(buyer.address, 500n)
    await bench.facilitator.landLate()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
  })
})

describe('a row in doubt', () => {
  test('is never refused after a re-send, for any answer', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.facilitator.script.push({ says: 'unknown' })
    await bench.sell(rawPayment)
    for (const reason of ['insufficient_funds', 'invalid_exact_evm_signature', 'invalid_network']) {
      bench.facilitator.script.push({ says: failed(reason) })
      expect(await bench.sell(rawPayment)).toEqual(IN_DOUBT)
    }
    bench.facilitator.script.push({ says: 'not_sent' })
    expect(await bench.sell(rawPayment)).toEqual(IN_DOUBT)
  })

  test('is sent again ten times, and then only looked up', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.facilitator.script.push(...Array.from({ length: 20 }, () => ({ says: 'unknown' }) as const))
    for (let tries = 0; tries < 15; tries += 1) expect(await bench.sell(rawPayment)).toEqual(IN_DOUBT)
    expect(bench.facilitator.settled).toHaveLength(10)
  })

  test('is not sent again while money is paused', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.facilitator.script.push({ says: 'unknown' })
    await bench.sell(rawPayment)
    bench.money.flows = false
    expect(await bench.sell(rawPayment)).toEqual(IN_DOUBT)
    expect(bench.facilitator.settled).toHaveLength(1)
  })

  test('answers 409 to another value, and is not touched by it', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.facilitator.script.push({ says: 'unknown' })
    await bench.sell(rawPayment)
    expect(await bench.sell(rawPayment, bench.call('other'))).toEqual({
      kind: 'declined',
      code: 'payment_already_used',
    })
    expect(bench.facilitator.settled).toHaveLength(1)
  })

  test('is void once a block past validBefore says so, and only then may the buyer sign again', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    bench.facilitator.script.push({ says: 'unknown' })
    await bench.sell(rawPayment)
    bench.clock.advance(115_000)
    expect(await bench.sell(rawPayment)).toEqual(IN_DOUBT)
    bench.clock.advance(10_000)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_expired' })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'void' })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_expired' })
    expect(await bench.charged()).toBe(0)
  })

  test('is not void by our clock alone, and not sent any more', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.facilitator.script.push({ says: 'unknown' })
    await bench.sell(rawPayment)
    const head = await bench.chain.reader.head()
    bench.reader.head = async () => head
    bench.reader.block = async () => head
    bench.clock.advance(3_600_000)
    expect(await bench.sell(rawPayment)).toEqual(IN_DOUBT)
    expect(bench.facilitator.settled).toHaveLength(1)
  })

  test('is not void by a block that may still be replaced', async () => {
    await bench.stop()
    bench = await startSaleBench({ finalityDepth: 3n })
    const buyer = await bench.buyer()
    const { rawPayment } = await buyer.sign()
    bench.facilitator.script.push({ says: 'unknown' })
    await bench.sell(rawPayment)
    bench.clock.advance(125_000)
    expect(await bench.sell(rawPayment)).toEqual(IN_DOUBT)
    for (let block = 0; block < 4; block += 1) await bench.chain.fund(buyer.address, 1n)
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_expired' })
  })
})
