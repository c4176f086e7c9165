/** Whatever a step throws, and wherever, an answer never denies a charge, and the repeat is answered. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ERRORS } from '../../../src/errors.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { RawPayment, Sale } from '../../../src/payments/ports/sale.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

/** A lease is over after it. */
const LEASE_MS = 31_000
/** No act makes as many calls. */
const MOST_CALLS = 60

const paid = async (): Promise<RawPayment> => (await (await bench.buyer()).sign()).rawPayment

/** What happened before the request that throws. */
const BEFORE: Readonly<Record<string, () => Promise<RawPayment>>> = {
  'a first sale': paid,
  async 'a sale to a payer who has paid'() {
    const buyer = await bench.buyer()
    await bench.sell((await buyer.sign()).rawPayment, bench.call('another'))
    return (await buyer.sign()).rawPayment
  },
  async 'a repeat of what was sold'() {
    const rawPayment = await paid()
    await bench.sell(rawPayment)
    return rawPayment
  },
  async 'a repeat of what is in doubt'() {
    const rawPayment = await paid()
    bench.facilitator.script.push({ says: 'unknown', lands: 'before' })
    bench.faults.push({ method: 'move', when: 'before', hits: () => bench.facilitator.settled.length > 0 })
    await bench.sell(rawPayment)
    bench.faults.length = 0
    await bench.restart()
    bench.clock.advance(LEASE_MS)
    return rawPayment
  },
  async 'a repeat of what was sent in vain'() {
    const rawPayment = await paid()
    bench.facilitator.script.push({ says: 'unknown' })
    await bench.sell(rawPayment)
    return rawPayment
  },
  async 'another signature for what was sold and not delivered'() {
    const buyer = await bench.buyer()
    await bench.sell((await buyer.sign()).rawPayment)
    return (await buyer.sign()).rawPayment
  },
}

/** Throws a defect at the call with this number, and counts the calls. */
function throwAt(number: number, when: 'before' | 'after'): { calls: number } {
  const seen = { calls: 0 }
  const hits = () => {
    seen.calls += 1
    return seen.calls === number
  }
  const names = Object.keys(bench.ledger).filter(
    (name) => typeof bench.ledger[name as keyof Ledger] === 'function',
  ) as (keyof Ledger)[]
  // A move without a flush is met as a move.
  for (const method of names.filter((name) => name !== 'moveUnflushed'))
    bench.faults.push({ method, when, hits, error: new TypeError('a defect') })
  return seen
}

test.each(
  Object.keys(BEFORE).flatMap((before) => [[before, 'before'] as const, [before, 'after'] as const]),
)('%s, and the store throws %s a call', async (before, when) => {
  for (let number = 1; ; number += 1) {
    expect(number).toBeLessThan(MOST_CALLS)
    const rawPayment = await (BEFORE[before] as () => Promise<RawPayment>)()
    const [charged, sent] = [await bench.charged(), bench.facilitator.settled.length]
    const seen = throwAt(number, when)
    const outcome = await bench.sell(rawPayment).catch((error: Error) => error)
    bench.faults.length = 0
    const isCharged = (await bench.charged()) > charged
    const isSent = bench.facilitator.settled.length > sent
    if (outcome instanceof Error)
      expect({ number, isSent, isCharged }).toEqual({ number, isSent: false, isCharged: false })
    else if (outcome.kind !== 'sold' && ERRORS[outcome.code].promise === 'never')
      expect({ number, code: outcome.code, isCharged }).toEqual({
        number,
        code: outcome.code,
        isCharged: false,
      })
    bench.clock.advance(LEASE_MS)
    const repeated: Sale = await bench.sell(rawPayment)
    expect({ number, kind: repeated.kind }).toEqual({ number, kind: 'sold' })
    expect((await bench.charged()) - charged).toBeLessThanOrEqual(1)
    if (seen.calls < number) break
  }
})
