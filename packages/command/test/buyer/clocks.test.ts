import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startRestDouble } from '../../../../test/support/rest-double.ts'
import { createBuyer } from '../../src/buyer/buyer.ts'
import { clockFault, clockIn } from '../../src/buyer/clocks.ts'
import { createListBuyer } from '../../src/buyer/list-buyer.ts'
import type { Wallet } from '../../src/buyer/wallet.ts'

const SERVICE = Date.UTC(2026, 11, 1, 12)
const DATE = new Date(SERVICE).toUTCString()
const terms = { maxTimeoutSeconds: 120 }

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'], now: SERVICE }))
afterEach(() => void vi.useRealTimers())

const faultAt = (seconds: number, headers: Record<string, string> = { date: DATE }) => {
  const clock = clockIn(new Headers(headers))
  vi.setSystemTime(SERVICE + seconds * 1_000)
  return clockFault({ clock, terms })
}

describe('the clock of the buyer', () => {
  test.each([0, 60, -119])('may be %i s ahead', (seconds) => expect(faultAt(seconds)).toBeNull())

  test.each([61, 30 * 86_400, -120, -30 * 86_400])('may not be %i s ahead', (seconds) =>
    expect(faultAt(seconds)).toEqual({
      kind: 'clocks_differ',
      own: `${new Date(SERVICE + seconds * 1_000).toISOString().slice(0, 19)}Z`,
      service: '2026-12-01T12:00:00Z',
    }))

  test.each([
    {},
    { date: 'yesterday' },
    { date: DATE, age: '0' },
  ])('is not compared with an answer that does not tell the time: %o', (headers) =>
    expect(faultAt(30 * 86_400, headers)).toBeNull())

  test('is compared with what the time of the service is now, not with that of the answer', () => {
    const clock = clockIn(new Headers({ date: DATE }))
    vi.advanceTimersByTime(500_000)
    expect(clockFault({ clock, terms })).toBeNull()
  })
})

describe('beside a service whose clock is another', () => {
  const wallet: Wallet = { sign: () => Promise.reject(new Error('signed')) }
  const doubleAt = async (seconds: number) => {
    vi.useRealTimers()
    const double = await startRestDouble()
    double.tellsTime = true
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 })
    return double
  }

  test.each([30 * 86_400, -30 * 86_400])('a check is not signed for: %i s', async (seconds) => {
    const { url, stop } = await doubleAt(seconds)
    const buyer = createBuyer({ url, type: 'iban', maxAmount: 1_000n })
    expect(await buyer.buy('x', wallet)).toMatchObject({ kind: 'clocks_differ' })
    expect(await buyer.terms('x')).toMatchObject({ kind: 'terms' })
    await stop()
  })

  test('nor is a list', async () => {
    const { url, stop } = await doubleAt(30 * 86_400)
    const quote = await createListBuyer({ url, maxAmount: 1_000n }).quote([{ type: 'iban', value: 'x' }])
    if (quote.kind !== 'quoted') throw new Error(quote.kind)
    expect(clockFault(quote)).toMatchObject({ kind: 'clocks_differ' })
    await stop()
  })

  test('terms that are kept are asked for again after this clock was moved', async () => {
    const double = await doubleAt(0)
    const signing: Wallet = { sign: () => Promise.reject(new Error('signed')) }
    const buyer = createBuyer({ url: double.url, type: 'iban', maxAmount: 1_000n })
    await expect(buyer.buy('x', signing)).rejects.toThrow('signed')
    vi.setSystemTime(Date.now() + 86_400_000)
    expect(await buyer.buy('x', signing)).toMatchObject({ kind: 'clocks_differ' })
    expect(double.asked).toBe(2)
    await double.stop()
  })
})
