import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { PaymentChange, PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import { eventually } from '../../support/eventually.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

const LEASE = 31_000

/** Lets a process die in the middle of a sale: the new one is there, and the old one never says another word. */
async function crash(rawPayment: Parameters<SaleBench['sell']>[0], at: () => Promise<unknown> | unknown) {
  void bench.sell(rawPayment)
  await at()
  await bench.restart()
}
/** The answer to a client that does not wait until the lease is over. */
const hastily = async (rawPayment: Parameters<SaleBench['sell']>[0]) =>
  (await bench.replica({ timing: { waitMs: 50 } })).sell(bench.call(), rawPayment)
const sent = (times = 1) => eventually(() => bench.facilitator.settled.length).toBe(times)

describe('a process that dies', () => {
  test('after the claim leaves a row that the identical request sends, once the lease is over', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    bench.faults.push({ method: 'claim', when: 'after' }, { method: 'move', when: 'before' })
    await bench.sell(rawPayment)
    bench.faults.length = 0
    await bench.restart()
    expect(await hastily(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'settling', owner: expect.any(String) })
    bench.clock.advance(LEASE)
    expect(await bench.sell(rawPayment, bench.call('another value'))).toMatchObject({
      code: 'payment_already_used',
    })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('after it took a row over leaves it to any call, once the lease is over', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    bench.facilitator.script.push({ says: 'not_sent' })
    await bench.sell(rawPayment)
    bench.faults.push({ method: 'move', when: 'before' })
    await bench.sell(rawPayment)
    bench.faults.length = 0
    await bench.restart()
    expect(await hastily(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'claimed', owner: expect.any(String) })
    bench.clock.advance(LEASE)
    expect(await bench.sell(rawPayment, bench.call('another value'))).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_already_used' })
  })

  test.each<[string, 'before' | undefined]>([
    ['after the transfer', 'before'],
    ['before the transfer', undefined],
  ])('while settling, %s, leaves a row that the chain clears up', async (_, lands) => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    bench.facilitator.script.push({ says: 'nothing', ...(lands === undefined ? {} : { lands }) })
    await crash(rawPayment, () => (lands === undefined ? sent() : eventually(() => bench.charged()).toBe(1)))
    expect(await hastily(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'settling' })
    bench.clock.advance(LEASE)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
    expect(bench.facilitator.settled).toHaveLength(lands === undefined ? 2 : 1)
  })

  test('while settling, and the buyer does not return before validBefore, charges no one or answers the buyer', async () => {
    const [lost, charged] = [await (await bench.buyer()).sign(), await (await bench.buyer()).sign()]
    bench.facilitator.script.push({ says: 'nothing' })
    await crash(lost.rawPayment, sent)
    bench.facilitator.script.push({ says: 'nothing', lands: 'before' })
    await crash(charged.rawPayment, () => eventually(() => bench.charged()).toBe(1))
    bench.clock.advance(600_000)
    expect(await bench.sell(lost.rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_expired' })
    expect(await bench.sell(charged.rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(1)
  })

  test('while sending again leaves a row in doubt with a lease', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    bench.facilitator.script.push({ says: 'unknown' }, { says: 'nothing' })
    await bench.sell(rawPayment)
    await crash(rawPayment, () => sent(2))
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'in_doubt', owner: expect.any(String) })
    expect(await hastily(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    expect(bench.facilitator.settled).toHaveLength(2)
    bench.clock.advance(LEASE)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('after recording leaves an answer to be repeated', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    const first = await bench.sell(rawPayment)
    await bench.restart()
    expect(await bench.sell(rawPayment)).toMatchObject({
      kind: 'sold',
      replayed: true,
      settlement: first.kind === 'sold' ? first.settlement : null,
    })
  })
})

describe('a process that is slow', () => {
  test('does not send a row whose lease went by while it wrote it', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    const gate = Promise.withResolvers<void>()
    const asleep = bench.layer
    const { ledger } = asleep.context
    const claimed = Promise.withResolvers<void>()
    Object.defineProperty(asleep.context, 'ledger', {
      value: new Proxy(ledger, {
        get: (target, name: 'claim' | 'find') =>
          name !== 'claim'
            ? target[name]
            : async (...claim: Parameters<Ledger['claim']>) => {
                const outcome = await ledger.claim(...claim)
                claimed.resolve()
                await gate.promise
                return outcome
              },
      }),
    })
    const slow = asleep.sell(bench.call(), rawPayment)
    await claimed.promise
    await bench.restart()
    bench.clock.advance(LEASE)
    const sold = await bench.sell(rawPayment)
    expect(sold).toMatchObject({ kind: 'sold', replayed: false })
    gate.resolve()
    expect(await slow).toMatchObject({ kind: 'sold', replayed: true })
    expect(bench.facilitator.settled).toHaveLength(1)
    expect(await bench.charged()).toBe(1)
  })

  test('does not settle a row that was taken over while it slept', async () => {
    const buyer = await bench.buyer()
    const { rawPayment } = await buyer.sign()
    bench.facilitator.script.push({ says: 'not_sent' })
    await bench.sell(rawPayment)
    const gate = Promise.withResolvers<void>()
    const asleep = bench.layer
    const { move } = asleep.context.ledger
    const sleepy = Promise.withResolvers<void>()
    Object.defineProperty(asleep.context, 'ledger', {
      value: new Proxy(asleep.context.ledger, {
        get: (target, name: 'move' | 'find') =>
          name !== 'move'
            ? target[name]
            : async (row: PaymentRow, change: PaymentChange) => {
                sleepy.resolve()
                await gate.promise
                return move(row, change)
              },
      }),
    })
    const slow = asleep.sell(bench.call(), rawPayment)
    await sleepy.promise
    await bench.restart()
    bench.clock.advance(LEASE)
    expect(await bench.sell(rawPayment, bench.call('other'))).toMatchObject({
      kind: 'sold',
      verdicts: [{ valid: false }],
    })
    gate.resolve()
    expect(await slow).toMatchObject({ kind: 'declined' })
    expect(bench.facilitator.settled).toHaveLength(2)
    expect(await bench.charged()).toBe(1)
  })

  test('does not say "refused" of a row that another replica is sending by now', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    const release = bench.facilitator.hold()
    bench.facilitator.script.push({
      says: () => ({ success: false, errorReason: 'insufficient_funds', transaction: '' }),
    })
    const slow = bench.sell(rawPayment)
    await sent()
    await bench.restart()
    bench.clock.advance(LEASE)
    const taken = bench.sell(rawPayment)
    await sent(2)
    release()
    expect(await slow).toMatchObject({ code: 'payment_in_doubt' })
    expect(await taken).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('writes its success down all the same', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    const release = bench.facilitator.hold()
    const slow = bench.sell(rawPayment)
    await sent()
    await bench.restart()
    bench.clock.advance(LEASE)
    bench.facilitator.script.push({ says: 'nothing' })
    void bench.sell(rawPayment)
    await sent(2)
    release()
    expect(await slow).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })
})
