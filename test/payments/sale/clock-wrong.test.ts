/** The clock of the service is its own fault: no payment is called wrong by it, and no client pays for it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ERRORS, type ErrorCode } from '../../../src/errors.ts'
import { consequenceOf } from '../../../src/payments/ports/consequences.ts'
import { rawPaymentOf } from '../../support/bench-buyer.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

const DAY_MS = 86_400_000

let bench: SaleBench
beforeAll(async () => {
  bench = await startSaleBench()
})
afterAll(() => bench.stop())

test.each([
  ['ahead', DAY_MS],
  ['behind', -DAY_MS],
])('a clock a day %s: a fresh payment is not called wrong, and pays once the clock is right', async (_, byMs) => {
  const buyer = await bench.buyer()
  const paid = rawPaymentOf((await buyer.sign()).payload)
  const before = await bench.charged()
  bench.clock.advance(byMs)
  bench.money.pause = 'clock_wrong'
  for (let call = 0; call < 5; call += 1)
    expect(await bench.sell(paid)).toMatchObject({ kind: 'declined', code: 'clock_wrong' })
  bench.clock.advance(-byMs)
  bench.money.pause = null
  expect(await bench.charged()).toBe(before)
  expect(await bench.sell(paid)).toMatchObject({ kind: 'sold' })
  expect(await bench.charged()).toBe(before + 1)
})

test('a sale that is recorded under a clock put back two days is answered once the clock is right', async () => {
  const other = await startSaleBench({
    facilitator: (scripted) => ({
      ...scripted,
      settle: async (...call) => {
        const settled = await scripted.settle(...call)
        other.clock.advance(-2 * DAY_MS)
        return settled
      },
    }),
  })
  const rightNow = other.clock.now()
  await other.restart({ chainTime: () => rightNow })
  const buyer = await other.buyer()
  const paid = rawPaymentOf((await buyer.sign()).payload)
  expect(await other.sell(paid)).toMatchObject({ kind: 'sold' })
  other.clock.advance(2 * DAY_MS)
  expect(await other.sell(paid)).toMatchObject({ kind: 'sold', replayed: true })
  await other.stop()
})

test('what was paid before is answered while the clock is wrong', async () => {
  const buyer = await bench.buyer()
  const paid = rawPaymentOf((await buyer.sign()).payload)
  expect(await bench.sell(paid)).toMatchObject({ kind: 'sold' })
  bench.money.pause = 'clock_wrong'
  expect(await bench.sell(paid)).toMatchObject({ kind: 'sold' })
  bench.money.pause = null
})

test('a code that is the fault of the service counts against no client, and every other does', () => {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  for (const code of codes) expect(consequenceOf(code).counted, code).toBe(ERRORS[code].fault === 'client')
  const ours = codes.filter((code) => ERRORS[code].fault === 'service')
  expect(ours).toContain('clock_wrong')
  for (const code of ours) expect(ERRORS[code].status, code).toBeGreaterThanOrEqual(500)
})
