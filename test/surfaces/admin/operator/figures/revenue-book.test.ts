import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Ledger } from '../../../../../src/ledger/ledger.ts'
import type { Revenue } from '../../../../../src/ledger/operator-figures.ts'
import type { PaymentRow } from '../../../../../src/ledger/payment-row.ts'
import { createRevenueBook } from '../../../../../src/surfaces/admin/operator/figures/revenue-book.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.parse('2026-11-01T00:00:00Z')

/** A store that knows when each sale was settled, and what it was asked. */
function store(initial: readonly number[]) {
  let times = initial
  const asked: [number, number][] = []
  const ledger: Pick<Ledger, 'revenue' | 'settled'> = {
    revenue: async (from, to) => {
      asked.push([from, to])
      const sales = times.filter((at) => at >= from && at < to).length
      const cell: Revenue = {
        surface: 'rest',
        checkType: 'iban',
        own: false,
        sales,
        delivered: sales,
        revenue: BigInt(sales) * 1_000n,
      }
      return sales === 0 ? [] : [cell]
    },
    settled: async (from, to) =>
      times
        .filter((at) => at >= from && at < to)
        .toSorted((a, b) => a - b)
        .slice(0, 1)
        .map((settledAt) => ({ settledAt }) as PaymentRow),
  }
  const sell = (at: readonly number[]) => {
    times = at
  }
  return { asked, ledger, sell }
}

describe('the book of revenue', () => {
  test('lets sales go on between two days, also over a store that answers at once', async () => {
    const { asked, ledger } = store(Array.from({ length: 20 }, (_, day) => START + day * DAY))
    const seen: number[] = []
    const look = () => {
      seen.push(asked.length)
      next = setImmediate(look)
    }
    let next = setImmediate(look)
    await createRevenueBook(ledger, []).upTo(START + 30 * DAY)
    clearImmediate(next)
    expect(new Set(seen).size).toBeGreaterThan(15)
  })

  test('is empty before the first sale', async () => {
    expect(await createRevenueBook(store([]).ledger, []).upTo(START)).toEqual([])
  })

  test('asks for a day that is over once, and again only for hours that may still change', async () => {
    const { asked, ledger } = store([START + 5 * HOUR, START + DAY + HOUR, START + 2 * DAY + HOUR])
    const book = createRevenueBook(ledger, [])
    const at = START + 2 * DAY + 6 * HOUR + 1
    const first = await book.upTo(at)
    expect(first.map(({ day, sales }) => [day, sales])).toEqual([
      ['2026-11-01', 1],
      ['2026-11-02', 1],
      ['2026-11-03', 1],
    ])
    asked.length = 0
    expect(await book.upTo(at)).toEqual(first)
    const today = START + 2 * DAY
    expect(asked).toEqual([4, 5, 6].map((hour) => [today + hour * HOUR, today + (hour + 1) * HOUR]))
  })

  test('passes over years without a sale', async () => {
    const { asked, ledger } = store([0, START])
    expect(await createRevenueBook(ledger, []).upTo(START + 3 * DAY)).toHaveLength(2)
    expect(asked.length).toBeLessThan(40)
  })

  test('loses no sale and counts none twice, whenever it is looked at', async () => {
    const time = fc.integer({ min: START, max: START + 10 * DAY })
    await fc.assert(
      fc.asyncProperty(fc.array(time), fc.array(time, { maxLength: 6 }), async (times, looks) => {
        const { ledger, sell } = store([])
        const book = createRevenueBook(ledger, [])
        for (const at of [...looks, START + 10 * DAY].toSorted((a, b) => a - b)) {
          const sold = times.filter((each) => each <= at)
          sell(sold)
          const sum = (await book.upTo(at)).reduce((total, { revenue }) => total + revenue, 0n)
          expect(sum).toBe(BigInt(sold.length) * 1_000n)
        }
      }),
      { numRuns: 60 },
    )
  })
})
