import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { beforeEach, expect, test, vi } from 'vitest'
import { withCircuitBreaker } from '../../../src/payments/facilitators/circuit-breaker.ts'
import { FacilitatorFault } from '../../../src/payments/facilitators/facilitator-fault.ts'

const PAYLOAD = { x402Version: 2 } as PaymentPayload
const REQUIREMENTS = { amount: '1' } as PaymentRequirements

let time: number
let asked: number
let changes: boolean[]
let verified: number
let fault: Error | null
/** A settlement is answered once it resolves. */
let gate: Promise<void> | null
let facilitator: FacilitatorClient

beforeEach(() => {
  time = 0
  asked = 0
  changes = []
  verified = 0
  fault = null
  gate = null
  const settle = async (...args: unknown[]) => {
    expect(args).toEqual([PAYLOAD, REQUIREMENTS])
    asked += 1
    await gate
    if (fault !== null) throw fault
    return { success: false } as never
  }
  const verify = async (...args: unknown[]) => {
    expect(args).toEqual([PAYLOAD, REQUIREMENTS])
    verified += 1
    throw new FacilitatorFault('not_sent', 'verify was answered with status 400')
  }
  facilitator = withCircuitBreaker(
    { settle, verify, getSupported: async () => ({ kinds: [] }) as never },
    (isOpen) => changes.push(isOpen),
  )
  const now = vi.spyOn(performance, 'now').mockImplementation(() => time)
  return () => now.mockRestore()
})

const settle = () => facilitator.settle(PAYLOAD, REQUIREMENTS).catch((error: unknown) => error)
const verify = () => facilitator.verify(PAYLOAD, REQUIREMENTS).catch((error: unknown) => error)
const settleTimes = async (times: number) => {
  for (let count = 0; count < times; count += 1) await settle()
}

test('after five calls without an answer the next are held back, as not sent, without a wait', async () => {
  fault = new FacilitatorFault('unknown', 'no reply in time')
  await settleTimes(5)
  expect(await settle()).toMatchObject({ effect: 'not_sent', answered: false })
  expect([asked, changes]).toEqual([5, [true]])
  expect(await facilitator.getSupported()).toEqual({ kinds: [] })
})

test('after a pause one call tests it; an answer lets all through again', async () => {
  fault = new FacilitatorFault('unknown', 'no reply in time')
  await settleTimes(5)
  time = 10_000
  await Promise.all([settle(), settle(), settle()])
  expect(asked).toBe(6)
  time = 20_000
  fault = null
  await settleTimes(3)
  expect([asked, changes]).toEqual([9, [true, false]])
})

test('refusals are answers, and an answer between failures starts the count again', async () => {
  fault = new FacilitatorFault('not_sent', 'status 429', { answered: true })
  await settleTimes(20)
  fault = new FacilitatorFault('unknown', 'status 500', { answered: true })
  await settleTimes(4)
  fault = null
  await settleTimes(1)
  fault = new FacilitatorFault('unknown', 'status 500', { answered: true })
  await settleTimes(4)
  expect([asked, changes]).toEqual([29, []])
})

test('signatures that it has no answer for do not hold settlements back, nor end that', async () => {
  for (let count = 0; count < 20; count += 1) await verify()
  await settle()
  expect([verified, asked, changes]).toEqual([20, 1, []])
  fault = new FacilitatorFault('unknown', 'no reply in time')
  await settleTimes(5)
  await verify()
  expect([verified, asked, changes]).toEqual([20, 6, [true]])
  time = 10_000
  fault = null
  await verify()
  expect([verified, changes]).toEqual([21, [true]])
  await settle()
  expect([asked, changes]).toEqual([7, [true, false]])
})

test.each<[string, Error, boolean]>([
  ['that it did nothing', new FacilitatorFault('not_sent', 'status 429', { answered: true }), false],
  [
    'that it may have done something',
    new FacilitatorFault('unknown', 'status 500', { answered: true }),
    true,
  ],
  ['nothing, so that nothing was sent', new FacilitatorFault('not_sent', 'refused'), true],
  ['nothing', new FacilitatorFault('unknown', 'no reply in time'), true],
  ['what no code here expects', new Error('a defect'), true],
])('a facilitator that says %s has failed or not', async (_what, error, hasFailed) => {
  fault = new FacilitatorFault('unknown', 'no reply in time')
  await settleTimes(4)
  fault = error
  expect(await settle()).toBe(error)
  expect(changes).toEqual(hasFailed ? [true] : [])
  fault = new FacilitatorFault('unknown', 'no reply in time')
  await settleTimes(4)
  expect(changes).toEqual(hasFailed ? [true] : [])
  await settleTimes(1)
  expect(changes).toEqual([true])
})

test('each failed test holds calls back for ten seconds more, of which nothing is said', async () => {
  fault = new FacilitatorFault('unknown', 'no reply in time')
  await settleTimes(5)
  const counts = []
  for (const at of [9_999, 10_000, 19_999, 20_000]) {
    time = at
    await settle()
    counts.push(asked)
  }
  expect([counts, changes]).toEqual([[5, 6, 6, 7], [true]])
})

test('a call from before does not end the test that is under way', async () => {
  const [before, testing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  gate = before.promise
  const old = settle()
  gate = null
  fault = new FacilitatorFault('unknown', 'no reply in time')
  await settleTimes(5)
  time = 10_000
  gate = testing.promise
  const tested = settle()
  before.resolve()
  await old
  time = 30_000
  expect(await settle()).toMatchObject({ effect: 'not_sent', symptom: { code: 'held_back' } })
  expect(asked).toBe(7)
  testing.resolve()
  await tested
  time = 50_000
  await settle()
  expect(asked).toBe(8)
})
