import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { beforeEach, expect, test } from 'vitest'
import { withCircuitBreaker } from '../../../src/payments/facilitators/circuit-breaker.ts'
import { FacilitatorFault } from '../../../src/payments/facilitators/facilitator-fault.ts'

const PAYLOAD = {} as PaymentPayload
const REQUIREMENTS = {} as PaymentRequirements

let time: number
let asked: number
let changes: boolean[]
let verified: number
let fault: FacilitatorFault | null
let facilitator: FacilitatorClient

beforeEach(() => {
  time = 0
  asked = 0
  changes = []
  verified = 0
  fault = null
  const settle = async () => {
    asked += 1
    if (fault !== null) throw fault
    return { success: false } as never
  }
  const verify = async () => {
    verified += 1
    throw new FacilitatorFault('not_sent', 'verify was answered with status 400')
  }
  facilitator = withCircuitBreaker(
    { settle, verify, getSupported: async () => ({ kinds: [] }) as never },
    { onChange: (isOpen) => changes.push(isOpen), monotonicMs: () => time },
  )
})

const settle = () => facilitator.settle(PAYLOAD, REQUIREMENTS).catch((error: unknown) => error)
const verify = () => facilitator.verify(PAYLOAD, REQUIREMENTS).catch((error: unknown) => error)
const settleTimes = async (times: number) => {
  for (let count = 0; count < times; count += 1) await settle()
}

test('after five calls without an answer the next are held back, as not sent, without a wait', async () => {
  fault = new FacilitatorFault('unknown', 'no reply in time')
  await settleTimes(5)
  expect(await settle()).toMatchObject({ effect: 'not_sent', byItsWord: false })
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
  fault = new FacilitatorFault('not_sent', 'status 429', { byItsWord: true })
  await settleTimes(20)
  fault = new FacilitatorFault('unknown', 'status 500', { byItsWord: true })
  await settleTimes(4)
  fault = null
  await settleTimes(1)
  fault = new FacilitatorFault('unknown', 'status 500', { byItsWord: true })
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
