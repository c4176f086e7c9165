import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { setAccessLogFields } from '../../../src/http/access-log-fields.ts'
import { trafficBudget } from '../../../src/http/limits/traffic-budget.ts'
import { unpaidLimiter } from '../../../src/http/limits/unpaid-limiter.ts'

/** Six unpaid requests a minute, so one mebibyte in ten seconds. */
const PER_MINUTE = 6
const BUDGET = 2 ** 20

const opened: { close(): void }[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const each of opened.splice(0)) each.close()
})

function open(perMinute = PER_MINUTE) {
  const limiter = unpaidLimiter({ perMinute, trustedProxies: 0 })
  const traffic = trafficBudget({ perMinute }, limiter)
  opened.push(limiter, traffic)
  return { limiter, traffic }
}

const from = (address: string, url = '/llms-full.txt', headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress: address }, url, headers, headersDistinct: lists(headers) }) as IncomingMessage
const lists = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
const answer = (code?: 'sold' | 'free'): ServerResponse => {
  const res = {} as ServerResponse
  setAccessLogFields(res, code === undefined ? {} : { code })
  return res
}

const GREEDY = '192.0.2.1'
const PAYS = { 'payment-signature': 'e30=' }

describe('an address that has taken more than its budget', () => {
  test('waits, and no other address does', () => {
    const { traffic } = open()
    traffic.answered(from(GREEDY), answer(), BUDGET, 0)
    expect(traffic.heldMs(from(GREEDY))).toBe(0)
    traffic.answered(from(GREEDY), answer(), BUDGET, 0)
    expect(traffic.heldMs(from(GREEDY))).toBe(5_000)
    expect(traffic.heldMs(from('192.0.2.2'))).toBe(0)
  })

  test('is asked for its health by a balancer that shares it, within what a probe waits', () => {
    const { traffic } = open()
    traffic.answered(from(GREEDY), answer(), 3 * BUDGET, 0)
    for (const probe of ['/healthz', '/readyz']) expect(traffic.heldMs(from(GREEDY, probe))).toBe(500)
  })

  test('is forgotten a minute after its last request, whatever it took', () => {
    vi.useFakeTimers()
    const { traffic } = open()
    traffic.answered(from(GREEDY), answer(), 100 * BUDGET, 0)
    vi.advanceTimersByTime(59_000)
    traffic.answered(from(GREEDY), answer(), 100 * BUDGET, 0)
    vi.advanceTimersByTime(1_500)
    expect(traffic.heldMs(from(GREEDY))).toBe(5_000)
    vi.advanceTimersByTime(60_000)
    expect(traffic.heldMs(from(GREEDY))).toBe(0)
  })

  test('still pays without waiting, until it is over its limit of refused payments', () => {
    const { limiter, traffic } = open()
    traffic.answered(from(GREEDY), answer(), 3 * BUDGET, 0)
    const paying = from(GREEDY, '/api/validate/iban', PAYS)
    expect(traffic.heldMs(paying)).toBe(0)
    for (let refused = 0; refused < PER_MINUTE; refused++) limiter.hit(paying, 'payment')
    expect(traffic.heldMs(paying)).toBe(5_000)
  })
})

test('a call counts for no less than the work of it', () => {
  const { traffic } = open()
  for (let answers = 0; answers < 129; answers++) traffic.answered(from(GREEDY), answer(), 1, 0)
  expect(traffic.heldMs(from(GREEDY))).toBeGreaterThan(0)
})

test('a read counts for the work of it, whatever comes with it', () => {
  const { traffic } = open()
  for (let reads = 0; reads < 2_048; reads++) traffic.count(from(GREEDY), traffic.weigh(from(GREEDY), 1))
  expect(traffic.heldMs(from(GREEDY))).toBeGreaterThan(0)
})

test('what a request counted for as it came is not counted again with its answer', () => {
  const { traffic } = open()
  traffic.count(from(GREEDY), BUDGET / 2)
  traffic.answered(from(GREEDY), answer('free'), BUDGET / 2, BUDGET / 2)
  expect(traffic.heldMs(from(GREEDY))).toBe(0)
  traffic.count(from(GREEDY), BUDGET)
  expect(traffic.heldMs(from(GREEDY))).toBeGreaterThan(0)
  traffic.answered(from(GREEDY), answer('sold'), 1, BUDGET)
  expect(traffic.heldMs(from(GREEDY))).toBe(0)
})

test('a body in chunks counts ten times, for they may be of one byte', () => {
  const { traffic } = open()
  const inChunks = from(GREEDY, '/api/validate/iban', { 'transfer-encoding': 'chunked' })
  traffic.count(inChunks, traffic.weigh(inChunks, BUDGET / 11))
  expect(traffic.heldMs(from(GREEDY))).toBe(0)
  traffic.count(inChunks, traffic.weigh(inChunks, BUDGET / 10))
  expect(traffic.heldMs(from(GREEDY))).toBeGreaterThan(0)
})

test.each([
  [4_000, 100_000],
  [900_000, 900_000],
])('a call that is sold gives back what its quote of %i bytes took', (quote, sale) => {
  const { traffic } = open()
  for (let sales = 0; sales < 1_000; sales++) {
    traffic.answered(from(GREEDY), answer('free'), quote, 0)
    traffic.answered(from(GREEDY), answer('sold'), sale, 0)
  }
  expect(traffic.heldMs(from(GREEDY))).toBe(0)
})

test('without a limit of unpaid requests nothing is held', () => {
  const { traffic } = open(0)
  traffic.answered(from(GREEDY), answer(), 100 * BUDGET, 0)
  expect(traffic.heldMs(from(GREEDY))).toBe(0)
})
