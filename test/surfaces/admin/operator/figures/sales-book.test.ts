import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { PayerSales } from '../../../../../src/ledger/figures/operator-figures.ts'
import type { Ledger } from '../../../../../src/ledger/ledger.ts'
import type { PaymentRow } from '../../../../../src/ledger/payments/payment-row.ts'
import {
  createSalesBook,
  type SalesCell,
} from '../../../../../src/surfaces/admin/operator/figures/sales-book.ts'
import { sumSales } from '../../../../../src/surfaces/admin/operator/figures/sum-sales.ts'
import { dayOf } from '../../../../../src/values/utc-days.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.parse('2026-11-01T00:00:00Z')

type Sale = readonly [at: number, payer?: string]
type Store = Pick<Ledger, 'sales' | 'settled'>

const cellOf = (payer: string, sales: number): PayerSales => ({
  ...{ payer, delivered: sales },
  ...{ sales, values: 3 * sales, revenue: BigInt(sales) * 1_000n },
})

/** A store that knows when each sale was settled, and what it was asked. */
function store(initial: readonly Sale[], answerLater = false) {
  let all = initial
  const asked: [number, number][] = []
  const within = (from: number, to: number) => all.filter(([at]) => at >= from && at < to)
  const ledger: Store = {
    sales: async (from, to) => {
      asked.push([from, to])
      if (answerLater) await sleep(0)
      const found = Map.groupBy(within(from, to), ([, payer = 'one']) => payer)
      return [...found].map(([payer, sales]) => cellOf(payer, sales.length))
    },
    settled: async (from, to) =>
      within(from, to)
        .toSorted(([a], [b]) => a - b)
        .slice(0, 1)
        .map(([settledAt]) => ({ settledAt }) as PaymentRow),
  }
  const sell = (sales: readonly Sale[]) => {
    all = sales
  }
  return { asked, ledger, sell }
}

const byDay = (cells: readonly SalesCell[]) =>
  [...Map.groupBy(cells, ({ day }) => day)].map(([day, part]) => [day, sumSales(part).sales])

describe('the book of sales', () => {
  test('lets sales go on between two days, also over a store that answers at once', async () => {
    const { asked, ledger } = store(Array.from({ length: 20 }, (_, day) => [START + day * DAY] as const))
    const seen: number[] = []
    const look = () => {
      seen.push(asked.length)
      next = setImmediate(look)
    }
    let next = setImmediate(look)
    await createSalesBook(ledger, []).upTo(START + 30 * DAY)
    clearImmediate(next)
    expect(new Set(seen).size).toBeGreaterThan(15)
  })

  test('is empty before the first sale', async () => {
    expect(await createSalesBook(store([]).ledger, []).upTo(START)).toEqual([])
  })

  test('asks for a day that is over once, and again only for hours that may still change', async () => {
    const { asked, ledger } = store([[START + 5 * HOUR], [START + DAY + HOUR], [START + 2 * DAY + HOUR]])
    const book = createSalesBook(ledger, [])
    const at = START + 2 * DAY + 6 * HOUR + 1
    const first = await book.upTo(at)
    expect(byDay(first)).toEqual([
      ['2026-11-01', 1],
      ['2026-11-02', 1],
      ['2026-11-03', 1],
    ])
    asked.length = 0
    expect(await book.upTo(at)).toEqual(first)
    const today = START + 2 * DAY
    expect(asked).toEqual([4, 5, 6].map((hour) => [today + hour * HOUR, today + (hour + 1) * HOUR]))
  })

  test.each([
    3 * HOUR,
    2 * DAY,
    200 * DAY,
  ])('has all sales once a clock that was %i ms ahead is set right', async (ahead) => {
    const { ledger, sell } = store([[START]])
    let time = START + HOUR
    const now = vi.spyOn(performance, 'now').mockImplementation(() => time)
    onTestFinished(() => now.mockRestore())
    const book = createSalesBook(ledger, [])
    await book.upTo(time + ahead)
    const sold = [[START], [START + HOUR], [START + DAY + HOUR]] as const
    sell(sold)
    time = START + DAY + 2 * HOUR
    expect(sumSales(await book.upTo(time)).sales).toBe(sold.length)
  })

  test('passes over years without a sale', async () => {
    const { asked, ledger } = store([[0], [START]])
    expect(await createSalesBook(ledger, []).upTo(START + 3 * DAY)).toHaveLength(2)
    expect(asked.length).toBeLessThan(40)
  })

  test('tells the operator’s own payers apart, also before the longest range', async () => {
    const { ledger } = store([
      [START, 'mine'],
      [START, 'theirs'],
      [START + 200 * DAY, 'mine'],
    ])
    const cells = await createSalesBook(ledger, ['mine']).upTo(START + 200 * DAY + 1)
    const shown = cells.map(({ day, own, payer, sales }) => [day, own, payer?.since, sales])
    expect(shown).toEqual([
      ['', true, undefined, 1],
      ['', false, undefined, 1],
      [dayOf(START + 200 * DAY), true, '2026-11-01', 1],
    ])
  })

  test('loses no sale and counts none twice, whenever it is looked at', async () => {
    const time = fc.integer({ min: START, max: START + 10 * DAY })
    await fc.assert(
      fc.asyncProperty(fc.array(time), fc.array(time, { maxLength: 6 }), async (times, looks) => {
        const { ledger, sell } = store([])
        const book = createSalesBook(ledger, [])
        for (const at of [...looks, START + 10 * DAY].toSorted((a, b) => a - b)) {
          const sold = times.filter((each) => each <= at).map((each) => [each] as const)
          sell(sold)
          const { sales, values, revenue } = sumSales(await book.upTo(at))
          expect([sales, values]).toEqual([sold.length, 3 * sold.length])
          expect(revenue).toBe(BigInt(sold.length) * 1_000n)
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('over a year of sales, it', () => {
  /** One payer who buys every day, and one for each tenth day. */
  const YEAR: readonly Sale[] = Array.from({ length: 365 }, (_, day) => START + day * DAY).flatMap((at) => [
    [at, 'regular'] as const,
    [at, `payer ${(at - START) / DAY / 10}`] as const,
  ])
  const END = START + 364 * DAY + 1
  const kept = (cells: readonly SalesCell[]) => byDay(cells).filter(([day]) => day !== '')

  test('keeps the days of the longest range, the sum of those before, and of each payer the first day ever', async () => {
    const cells = await createSalesBook(store(YEAR).ledger, []).upTo(END)
    expect([kept(cells).length, kept(cells)[0]]).toEqual([90, [dayOf(END - 89 * DAY), 2]])
    expect(cells.filter(({ day }) => day === '')).toMatchObject([{ sales: 550, payer: null }])
    const last = cells.filter(({ day }) => day === dayOf(END)).map(({ payer }) => payer)
    expect(last).toEqual([
      { address: 'regular', since: '2026-11-01' },
      { address: 'payer 36.4', since: dayOf(END) },
    ])
  })

  test('drops a day that leaves the range, reads none of it again, and still has its sales', async () => {
    const { ledger, asked } = store(YEAR)
    const book = createSalesBook(ledger, [])
    await book.upTo(END - 30 * DAY)
    asked.length = 0
    const cells = await book.upTo(END)
    expect([kept(cells).length, sumSales(cells).sales]).toEqual([90, 730])
    expect(Math.min(...asked.map(([from]) => from))).toBeGreaterThan(END - 32 * DAY)
  })

  test('has one object for all cells of a payer', async () => {
    const cells = await createSalesBook(store(YEAR).ledger, []).upTo(END)
    const payers = cells.map(({ payer }) => payer).filter((payer) => payer?.address === 'regular')
    expect(new Set(payers).size).toBe(1)
  })

  test('answers two looks at the same time, and reads a finished day for one of them', async () => {
    const { ledger, asked } = store(YEAR, true)
    const book = createSalesBook(ledger, [])
    const [earlier, later] = await Promise.all([book.upTo(END - 30 * DAY), book.upTo(END)])
    expect([sumSales(earlier).sales, sumSales(later).sales]).toEqual([670, 730])
    expect(asked.filter(([from]) => from < END - 32 * DAY)).toHaveLength(333)
    expect(await book.upTo(END)).toEqual(later)
  })

  test('looks on after a look that failed', async () => {
    const { ledger } = store(YEAR)
    let away = true
    const book = createSalesBook(
      {
        ...ledger,
        sales: (from, to) =>
          away && from > END - 100 * DAY ? Promise.reject(new Error('away')) : ledger.sales(from, to),
      },
      [],
    )
    await expect(book.upTo(END)).rejects.toThrow('away')
    away = false
    expect(await book.upTo(END)).toEqual(await createSalesBook(ledger, []).upTo(END))
  })

  test('takes a day with more payers than a call takes arguments', async () => {
    const { ledger } = store([[START + 1]])
    const many = Array.from({ length: 150_000 }, (_, n) => cellOf(`payer ${n}`, 1))
    const sales: Store['sales'] = async (from) => (from % (400 * DAY) === START % (400 * DAY) ? many : [])
    const book = createSalesBook({ ...ledger, sales }, [])
    expect(await book.upTo(START + 1)).toHaveLength(150_000)
    expect(sumSales(await book.upTo(START + 200 * DAY)).sales).toBe(150_000)
  })
})
