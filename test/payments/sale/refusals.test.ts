import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { rawPaymentOf } from '../../support/bench-buyer.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

const HOUR = 3_600_000

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

const failed =
  (errorReason: string, transaction: unknown = '') =>
  () => ({ success: false, errorReason, transaction, network: 'eip155:8453' })

describe('a refusal that proves that nothing was sent', () => {
  test.each([
    ['invalid_exact_evm_signature', 'payment_invalid_signature'],
    ['invalid_exact_evm_payload_signature', 'payment_invalid_signature'],
    ['invalid_exact_evm_failed_to_parse_signature', 'payment_invalid_signature'],
    ['eip6492_factory_not_allowed', 'payment_invalid_signature'],
    ['invalid_exact_evm_payload_authorization_valid_before', 'payment_expired'],
    ['invalid_exact_evm_payload_authorization_valid_after', 'payment_not_yet_valid'],
    ['invalid_exact_evm_authorization_value', 'payment_refused'],
    ['invalid_exact_evm_payload_authorization_value', 'payment_refused'],
    ['invalid_exact_evm_payload_authorization_value_mismatch', 'payment_refused'],
    ['invalid_exact_evm_recipient_mismatch', 'payment_refused'],
    ['invalid_exact_evm_payload_recipient_mismatch', 'payment_refused'],
    ['invalid_exact_evm_network_mismatch', 'payment_refused'],
    ['invalid_network', 'payment_refused'],
    ['invalid_exact_evm_missing_eip712_domain', 'payment_refused'],
    ['invalid_exact_evm_token_name_mismatch', 'payment_refused'],
    ['invalid_exact_evm_token_version_mismatch', 'payment_refused'],
    ['invalid_exact_evm_eip3009_not_supported', 'payment_refused'],
    ['invalid_exact_evm_insufficient_balance', 'payment_insufficient_funds'],
    ['insufficient_funds', 'payment_insufficient_funds'],
  ])('%s', async (reason, code) => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    bench.facilitator.script.push({ says: failed(reason) })
    expect(await bench.sell(rawPayment)).toMatchObject({
      kind: 'unpaid',
      code,
      settlement: { success: false, errorReason: code, transaction: '', payer: buyer.address },
    })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'refused', refusal: code, owner: null })
  })

  test('is believed without a member for the transaction', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.facilitator.script.push({ says: failed('insufficient_funds', undefined) })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_insufficient_funds' })
  })

  test('is found on the chain where the facilitator does not say it: no funds', async () => {
    const { rawPayment } = await (await bench.spender(999n)).sign()
    bench.facilitator.script.push({ says: failed('invalid_exact_evm_transaction_simulation_failed') })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_insufficient_funds' })
  })
})

describe('a refused payment', () => {
  test('is tried again by the identical request once the buyer has topped up', async () => {
    const buyer = await bench.spender()
    const { rawPayment, nonce } = await buyer.sign()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_insufficient_funds' })
    expect(await bench.sell(rawPayment, bench.call('other'))).toMatchObject({ code: 'payment_already_used' })
    await bench.chain.fund(buyer.address, 1_000n)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'settled', attempts: 2, refusal: null })
    expect(await bench.charged()).toBe(1)
  })

  test('is tried three times at most', async () => {
    const { rawPayment } = await (await bench.spender()).sign()
    for (let tries = 0; tries < 5; tries += 1) {
      expect(await bench.sell(rawPayment)).toMatchObject({
        kind: 'unpaid',
        code: 'payment_insufficient_funds',
      })
      bench.clock.advance(21_000)
    }
    expect(bench.facilitator.settled).toHaveLength(3)
  })

  test('was not tried where the facilitator could not be reached', async () => {
    const buyer = await bench.spender()
    const { rawPayment } = await buyer.sign()
    bench.facilitator.script.push({ says: 'not_sent' }, { says: 'not_sent' }, { says: 'not_sent' })
    for (let tries = 0; tries < 3; tries += 1)
      expect(await bench.sell(rawPayment)).toMatchObject({ code: 'facilitator_unavailable' })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_insufficient_funds' })
    await bench.chain.fund(buyer.address, 1_000n)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
  })

  test('that was charged all the same is answered from the chain, not refused again', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.facilitator.script.push({
      lands: 'before',
      says: failed('invalid_exact_evm_payload_recipient_mismatch'),
    })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid' })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(1)
  })

  test('for an empty account is sold if this very payment has emptied it', async () => {
    const { rawPayment } = await (await bench.buyer(1_000n)).sign()
    bench.facilitator.script.push({ lands: 'before', says: failed('insufficient_funds') })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('stays one that was tried, when the next try does not reach the facilitator', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    // The refusal was wrong, and the transfer is made later: another value must never get this row.
    bench.facilitator.script.push(
      { lands: 'after', says: failed('insufficient_funds') },
      { says: 'not_sent' },
    )
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_insufficient_funds' })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'facilitator_unavailable' })
    expect(await bench.row(buyer, nonce)).toMatchObject({
      state: 'refused',
      refusal: 'payment_insufficient_funds',
    })
    await bench.facilitator.landLate()
    expect(await bench.sell(rawPayment, bench.call('other'))).toMatchObject({ code: 'payment_already_used' })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
  })

  test('is not tried again while money is paused', async () => {
    const { rawPayment } = await (await bench.spender()).sign()
    await bench.sell(rawPayment)
    bench.money.flows = false
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'facilitator_unavailable' })
    expect(bench.facilitator.settled).toHaveLength(1)
  })

  test('dies on the chain when its time is over', async () => {
    const buyer = await bench.spender()
    const { rawPayment, nonce } = await buyer.sign()
    await bench.sell(rawPayment)
    bench.clock.advance(125_000)
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_expired' })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'void' })
  })
})

describe('the limit of refusals', () => {
  test('turns the fourth new payment of a payer in a minute away before it is claimed', async () => {
    const buyer = await bench.buyer(0n)
    for (let tries = 0; tries < 3; tries += 1)
      expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject({
        code: 'payment_insufficient_funds',
      })
    const fourth = await buyer.sign()
    const sale = await bench.sell(fourth.rawPayment)
    if (sale.kind !== 'declined') throw new Error('not declined')
    expect(sale.code).toBe('too_many_requests')
    expect(sale.retryAfterSeconds).toBeGreaterThan(50)
    expect(sale.retryAfterSeconds).toBeLessThanOrEqual(60)
    await expect(bench.row(buyer, fourth.nonce)).rejects.toThrow('no such row')
    await bench.sell((await (await bench.buyer()).sign()).rawPayment)
    bench.clock.advance(61_000)
    expect(await bench.sell(fourth.rawPayment)).toMatchObject({ code: 'payment_insufficient_funds' })
  })

  test('of many for one call only the newest are looked up again for a new payment', async () => {
    const buyer = await bench.buyer()
    for (let tries = 0; tries < 8; tries += 1) {
      if (tries % 2 === 0) bench.clock.advance(61_000)
      bench.facilitator.script.push({ says: failed('invalid_network') })
      expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject({ code: 'payment_refused' })
    }
    const { trace } = bench.reader
    let traced = 0
    bench.reader.trace = (query) => {
      traced += 1
      return trace(query)
    }
    bench.clock.advance(61_000)
    expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject({ kind: 'sold' })
    expect(traced).toBe(3)
  })

  test('counts what the facilitator refused while no node answers', async () => {
    const buyer = await bench.buyer()
    await bench.sell((await buyer.sign()).rawPayment)
    for (const name of ['head', 'balance', 'authorizationUsed'])
      bench.reader[name] = async () => {
        throw new ChainUnavailable('down')
      }
    for (let tries = 0; tries < 4; tries += 1) {
      bench.facilitator.script.push({ says: failed('insufficient_funds') })
      expect(await bench.sell((await buyer.sign()).rawPayment, bench.call(`value ${tries}`))).toMatchObject({
        code: tries < 3 ? 'payment_in_doubt' : 'too_many_requests',
      })
    }
  })

  test('lets a payer go on after a minute at most, also if the clock was put back', async () => {
    const buyer = await bench.buyer(0n)
    for (let tries = 0; tries < 3; tries += 1) await bench.sell((await buyer.sign()).rawPayment)
    bench.clock.advance(-HOUR)
    expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject({
      code: 'payment_insufficient_funds',
    })
  })

  test('does not keep a payer from an answer that was paid for', async () => {
    const buyer = await bench.buyer(1_000n)
    const paid = await buyer.sign()
    const first = await bench.sell(paid.rawPayment)
    if (first.kind === 'sold') first.delivered()
    for (let tries = 0; tries < 3; tries += 1)
      await bench.sell((await buyer.sign()).rawPayment, bench.call(`value ${tries}`))
    expect(await bench.sell((await buyer.sign()).rawPayment, bench.call('x'))).toMatchObject({
      code: 'too_many_requests',
    })
    expect(await bench.sell(paid.rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
  })

  test('cannot be used by a stranger against a payer whose signature is not known', async () => {
    const buyer = await bench.buyer()
    for (let tries = 0; tries < 4; tries += 1) {
      const { payload } = await buyer.sign()
      const forged = { ...payload, payload: { ...payload.payload, signature: `0x${'ab'.repeat(100)}` } }
      expect(await bench.sell(rawPaymentOf(forged))).toMatchObject({ kind: 'unpaid' })
    }
    expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject({ kind: 'sold' })
  })
})

describe('a facilitator that was not reached', () => {
  test('costs nothing, and the identical request is sold once it is back', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    bench.facilitator.script.push({ says: 'not_sent' })
    expect(await bench.sell(rawPayment)).toEqual({
      kind: 'declined',
      code: 'facilitator_unavailable',
      retryAfterSeconds: 5,
    })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'claimed', owner: null, leaseUntil: 0 })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
    expect(await bench.charged()).toBe(1)
  })

  test('leaves the authorization free for another value', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.facilitator.script.push({ says: 'not_sent' })
    await bench.sell(rawPayment)
    expect(await bench.sell(rawPayment, bench.call('other'))).toMatchObject({
      kind: 'sold',
      verdicts: [{ valid: false }],
    })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_already_used' })
  })

  test('is not asked while money is paused, and nothing is claimed', async () => {
    bench.money.flows = false
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'facilitator_unavailable' })
    await expect(bench.row(buyer, nonce)).rejects.toThrow('no such row')
  })
})
