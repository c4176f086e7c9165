import { type IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type UnpaidLimiter, unpaidLimiter } from '../../../src/http/limits/unpaid-limiter.ts'
import { requestFrom } from '../http-harness.ts'

const responseTo = (req: IncomingMessage) => new ServerResponse(Object.assign(req, { method: 'POST' }))
const A = requestFrom('192.0.2.1')
const B = requestFrom('192.0.2.2')

let limiter: UnpaidLimiter
beforeEach(() => {
  vi.useFakeTimers()
  limiter = unpaidLimiter({ perMinute: 2, trustedProxies: 0 })
})
afterEach(() => {
  limiter.close()
  vi.useRealTimers()
})

describe('the limiter of unpaid requests', () => {
  test('blocks an address after as many outcomes, and no other address', async () => {
    limiter.hit(A)
    expect(limiter.blocked(A)).toBeUndefined()
    limiter.hit(A)
    expect(limiter.blocked(A)).toBe(60)
    expect(limiter.blocked(B)).toBeUndefined()
  })

  test('says how long is left, and forgets after a minute', async () => {
    limiter.hit(A)
    limiter.hit(A)
    vi.advanceTimersByTime(45_500)
    expect(limiter.blocked(A)).toBe(15)
    vi.advanceTimersByTime(14_500)
    expect(limiter.blocked(A)).toBeUndefined()
  })

  test.each([
    -3_600_000, 86_400_000,
  ])('goes by no wall clock: set by %i ms, a minute is a minute', (shift) => {
    limiter.hit(A)
    limiter.hit(A)
    vi.setSystemTime(Date.now() + shift)
    expect(limiter.blocked(A)).toBe(60)
    vi.advanceTimersByTime(60_000)
    expect(limiter.blocked(A)).toBeUndefined()
  })

  test('does not lengthen the wait of a client that keeps asking', async () => {
    limiter.hit(A)
    limiter.hit(A)
    vi.advanceTimersByTime(30_000)
    limiter.hit(A)
    expect(limiter.blocked(A)).toBe(30)
  })

  test('holds a paying client back for refused payments only', async () => {
    limiter.hit(A)
    limiter.hit(A)
    expect(limiter.blocked(A, 'payment')).toBeUndefined()
    limiter.hit(B, 'payment')
    limiter.hit(B, 'payment')
    expect(limiter.blocked(B, 'payment')).toBe(60)
    expect(limiter.blocked(B)).toBe(60)
  })

  test('gives quotes back, as many as were paid, and never anything else', async () => {
    limiter.giveBack(A, 1)
    limiter.hit(A)
    limiter.hit(A, 'unpaid', 'quote')
    limiter.giveBack(A, 1)
    limiter.giveBack(A, 1)
    expect(limiter.blocked(A)).toBeUndefined()
    limiter.hit(A, 'unpaid', 'quote')
    expect(limiter.blocked(A)).toBe(60)
    limiter.takeBack(A)
    limiter.takeBack(A)
    limiter.giveBack(A, 1)
    limiter.hit(A)
    expect(limiter.blocked(A)).toBeUndefined()
  })

  test('gives at most ten free calls back for each sale, and each once', async () => {
    for (let n = 0; n < 13; n++) limiter.hit(A, 'unpaid', 'free')
    limiter.giveBack(A, 1)
    expect(limiter.blocked(A)).toBe(60)
    limiter.giveBack(A, 1)
    limiter.hit(A)
    limiter.giveBack(A, 1)
    expect(limiter.blocked(A)).toBeUndefined()
    limiter.hit(A)
    expect(limiter.blocked(A)).toBe(60)
  })

  test('takes back one outcome, and never goes below none', async () => {
    limiter.takeBack(A)
    limiter.hit(A)
    limiter.hit(A)
    limiter.takeBack(A)
    expect(limiter.blocked(A)).toBeUndefined()
    limiter.hit(A)
    expect(limiter.blocked(A)).toBe(60)
  })

  test('counts one IPv6 customer as one, and a mapped address as the IPv4 one it is', async () => {
    limiter.hit(requestFrom('2001:db8:0:1::1'))
    limiter.hit(requestFrom('2001:db8:0:2::2'))
    expect(limiter.blocked(requestFrom('2001:db8:0:3::3'))).toBe(60)
    expect(limiter.blocked(requestFrom('2001:db8:1::1'))).toBeUndefined()
    limiter.hit(requestFrom('::ffff:192.0.2.1'))
    limiter.hit(A)
    expect(limiter.blocked(A)).toBe(60)
  })

  test('counts requests under way, until their responses close', async () => {
    const responses = [responseTo(A), responseTo(A), responseTo(A)]
    for (const res of responses) limiter.track(A, res, () => {})
    expect(limiter.blocked(A)).toBe(1)
    expect(limiter.blocked(B)).toBeUndefined()
    responses.pop()?.emit('close')
    expect(limiter.blocked(A)).toBeUndefined()
    limiter.hit(A)
    expect(limiter.blocked(A)).toBe(1)
  })

  test('counts payments under way against payments, and nothing that does not pay, or not yet', async () => {
    const paying = { 'payment-signature': 'x' }
    const asks = (more: object) =>
      ({ ...requestFrom('192.0.2.1'), method: 'POST', ...more }) as IncomingMessage
    const begin = (req: IncomingMessage) => {
      const res = responseTo(req)
      limiter.track(req, res, () => {})
      return { res, blocked: limiter.blocked(req, 'payment') }
    }
    const unread = Array.from({ length: 9 }, () => begin(asks({ complete: false })))
    expect(unread.map(({ blocked }) => blocked)).toEqual(Array(9).fill(undefined))
    const [first, second, third] = [
      begin(asks({ headers: paying, headersDistinct: { 'payment-signature': ['x'] } })),
      begin(asks({ complete: true })),
      begin(asks({ complete: true })),
    ]
    expect([first, second, third].map(({ blocked }) => blocked)).toEqual([undefined, undefined, 1])
    first.res.emit('close')
    third.res.emit('close')
    expect(begin(asks({ complete: true })).blocked).toBeUndefined()
  })

  test('is off at 0', async () => {
    const off = unpaidLimiter({ perMinute: 0, trustedProxies: 0 })
    for (let hits = 0; hits < 1000; hits++) off.hit(A)
    expect(off.blocked(A)).toBeUndefined()
    off.close()
  })
})
