import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { NewPayment } from '../../../src/ledger/payments/new-payment.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import type { RawPayment } from '../../../src/payments/ports/sale.ts'
import { fingerprintsOf } from '../../../src/payments/secrets/fingerprint.ts'
import { requestDigest } from '../../../src/receipts/receipt-hashes.ts'
import { newPayment } from '../../support/payment-rows.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

/** An authorization that a process has claimed and then done nothing with, by default until its lease was over. */
async function abandonedClaim(change: Partial<NewPayment> = {}, afterMs = 31_000) {
  const buyer = await bench.buyer()
  const { rawPayment, nonce, payload } = await buyer.sign()
  const { terms } = bench.layer
  const outcome = await bench.ledger.claim(
    newPayment({
      ...{ network: BASE.id, asset: terms.asset, payer: buyer.address.toLowerCase(), nonce },
      ...{ amount: 1_000n, payTo: terms.payTo.toLowerCase() },
      validBefore: Number((payload.payload.authorization as { validBefore: string }).validBefore),
      ...{ owner: 'slow', leaseUntil: bench.clock.now() + 30_000, claimedAt: bench.clock.now() },
      ...change,
    }),
  )
  if (outcome.kind !== 'claimed') throw new Error(outcome.kind)
  bench.clock.advance(afterMs)
  return { buyer, rawPayment, claimed: outcome.row }
}

describe('a process that comes back after its lease', () => {
  test('cannot send an authorization any more whose buyer was told that it has expired', async () => {
    const { rawPayment, claimed } = await abandonedClaim()
    bench.clock.advance(82_000)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_expired' })
    expect(await bench.ledger.move(claimed, { state: 'settling' })).toBeNull()
    expect(bench.facilitator.settled).toHaveLength(0)
  })

  test('cannot send one either whose buyer was told that no payment is taken now', async () => {
    const { rawPayment, claimed } = await abandonedClaim()
    bench.money.flows = false
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'facilitator_unavailable' })
    expect(await bench.ledger.move(claimed, { state: 'settling' })).toBeNull()
    bench.money.flows = true
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })
})

describe('a process that looked at an authorization before another one sold it', () => {
  /** A second process that stops at one call of the store; `met` resolves when it is there, `goOn` lets it go on. */
  async function stopsAt(name: 'unanswered' | 'hasSettled') {
    const met = Promise.withResolvers<void>()
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>()
    const ledger = new Proxy(bench.ledger, {
      get(target, member: keyof Ledger) {
        if (member !== name) return target[member]
        return async (...args: unknown[]) => {
          met.resolve()
          await mayGoOn
          return (target[name] as (...args: unknown[]) => Promise<unknown>)(...args)
        }
      },
    })
    return { process: await bench.replica({ ledger }), met: met.promise, goOn }
  }

  test('does not say that nothing was charged when no payment is taken now', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    const slow = await stopsAt('unanswered')
    const answer = slow.process.sell(bench.call(), rawPayment)
    await slow.met
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    bench.money.flows = false
    slow.goOn()
    expect(await answer).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(1)
  })

  test('does not say so either when that sale took the last of the buyer’s money', async () => {
    const { rawPayment } = await (await bench.buyer(1_000n)).sign()
    const slow = await stopsAt('hasSettled')
    const answer = slow.process.sell(bench.call(), rawPayment)
    await slow.met
    const other = await (await bench.buyer()).sign()
    expect(await bench.sell(other.rawPayment)).toMatchObject({ kind: 'sold' })
    bench.ledger.hasSettled = async () => false
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    slow.goOn()
    expect(await answer).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(2)
  })

  test('does not say so of a claim that had no owner when it looked', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.facilitator.script.push({ says: 'not_sent' })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'facilitator_unavailable' })
    const slow = await stopsAt('unanswered')
    const answer = slow.process.sell(bench.call(), rawPayment)
    await slow.met
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    bench.money.flows = false
    slow.goOn()
    expect(await answer).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(1)
  })
})

describe('of two authorizations in doubt for one call', () => {
  test('only the first is sent again, and the second is answered from it', async () => {
    const buyer = await bench.buyer()
    const [one, other] = [await buyer.sign(), await buyer.sign()]
    const { terms } = bench.layer
    bench.facilitator.script.push({ lands: 'after', says: 'unknown' })
    expect(await bench.sell(one.rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    // A process wrote the second one down at the same moment, and stopped before it had looked for the first.
    const first = await bench.row(buyer, one.nonce)
    await bench.ledger.claim(
      newPayment({
        ...{ network: BASE.id, asset: terms.asset, payer: first.payer, nonce: other.nonce },
        ...{ amount: 1_000n, payTo: first.payTo, validBefore: first.validBefore },
        ...{ salt: first.salt, binding: first.binding, bindingKey: first.bindingKey },
        ...{ owner: 'slow', leaseUntil: bench.clock.now(), claimedAt: first.claimedAt + 1 },
        settlingAt: bench.clock.now(),
      }),
    )
    bench.clock.advance(1)
    const sent = bench.facilitator.settled.length
    expect(await bench.sell(other.rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    expect(bench.facilitator.settled).toHaveLength(sent)
    await bench.facilitator.landLate()
    expect(await bench.sell(one.rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.sell(other.rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(1)
  })
})

describe('the lease of another process', () => {
  /** Looks at the store a few times, while the clock stands still. */
  const sellNow = async (rawPayment: RawPayment) => {
    let looks = 0
    const sleep = async () => {
      looks += 1
    }
    await bench.restart({ timing: { waitMs: 3, sleep, monotonicMs: () => looks } })
    const sale = await bench.layer.sell(bench.call(), rawPayment)
    return sale.kind === 'sold' ? sale.kind : sale.code
  }
  const bound = async () => {
    const { shape, items } = bench.call()
    const [fingerprint] = fingerprintsOf(bench.keys, shape, requestDigest(shape, items))
    return bench.layer.context.bindings.bind(fingerprint, bench.clock.now())
  }

  test.each([
    [29_999, 'payment_in_doubt'],
    [30_000, 'sold'],
  ])('keeps its claim to itself until the end: after %d ms the payment is %s', async (ms, end) => {
    const { rawPayment } = await abandonedClaim({}, ms)
    expect(await sellNow(rawPayment)).toBe(end)
  })

  test.each([
    [29_999, 'payment_in_doubt'],
    [30_000, 'sold'],
  ])('makes a new signature for the same call wait as long: after %d ms it is %s', async (ms, end) => {
    const { buyer } = await abandonedClaim(await bound(), ms)
    expect(await sellNow((await buyer.sign()).rawPayment)).toBe(end)
  })

  test.each([
    [29_999, 'settling'],
    [30_000, 'in_doubt'],
  ] as const)('keeps a settlement from being called doubtful: after %d ms it is %s', async (ms, state) => {
    const settling = { ...(await bound()), settlingAt: bench.clock.now() }
    const { buyer, claimed } = await abandonedClaim(settling, ms)
    expect(await sellNow((await buyer.sign()).rawPayment)).toBe('payment_in_doubt')
    expect((await bench.ledger.find(claimed))?.state).toBe(state)
  })
})

test('the chain is not asked about a payment that is turned away because none is taken now', async () => {
  let asked = 0
  const { authorizationUsed } = bench.reader
  bench.reader.authorizationUsed = (...args) => {
    asked += 1
    return authorizationUsed(...args)
  }
  bench.money.flows = false
  const { rawPayment } = await (await bench.buyer()).sign()
  expect(await bench.sell(rawPayment)).toMatchObject({ code: 'facilitator_unavailable' })
  expect(asked).toBe(0)
})
