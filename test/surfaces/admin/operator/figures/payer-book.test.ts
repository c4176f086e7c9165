import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Ledger } from '../../../../../src/ledger/ledger.ts'
import type { PaymentRow } from '../../../../../src/ledger/payment-row.ts'
import {
  createPayerBook,
  summarizePayers,
} from '../../../../../src/surfaces/admin/operator/figures/payer-book.ts'

const DAY = 86_400_000
const START = Date.parse('2025-01-01T00:00:00Z')

type Sale = readonly [payer: string, at: number]

/** A store of sales that notes the days it was asked for. */
function store(sales: readonly Sale[]) {
  const asked: number[] = []
  const within = (from: number, to: number) => sales.filter(([, at]) => at >= from && at < to)
  const ledger: Pick<Ledger, 'payerSales' | 'settled'> = {
    payerSales: async (from, to) => {
      asked.push(from)
      await sleep(0)
      const found = within(from, to).map(([payer]) => payer)
      return [...new Set(found)].map((payer) => ({
        payer,
        sales: found.filter((each) => each === payer).length,
        slow: 0,
      }))
    },
    settled: async (from, to) =>
      within(from, to)
        .map(([, settledAt]) => ({ settledAt }) as PaymentRow)
        .slice(0, 1),
  }
  return { asked, ledger }
}

/** One payer who buys every day, and one for each tenth day. */
const YEAR: readonly Sale[] = Array.from({ length: 365 }, (_, day) => START + day * DAY).flatMap((at) => [
  ['regular', at] as const,
  [`payer ${(at - START) / DAY / 10}`, at] as const,
])
const END = START + 364 * DAY + 1

describe('the book of payers', () => {
  test('keeps the days of the longest range only, and of each payer the first day ever', async () => {
    const { ledger } = store(YEAR)
    const days = await createPayerBook(ledger).upTo(END)
    expect([days.length, days[0]?.day]).toEqual([90, '2025-10-03'])
    expect(summarizePayers(days, '2025-12-31')).toEqual({
      fresh: 1,
      returning: 1,
      most: [
        { payer: 'payer 36.4', sales: 1, since: '2025-12-31' },
        { payer: 'regular', sales: 1, since: '2025-01-01' },
      ],
    })
  })

  test('drops a day that leaves the range, and reads no day of it again', async () => {
    const { ledger, asked } = store(YEAR)
    const book = createPayerBook(ledger)
    await book.upTo(END - 30 * DAY)
    asked.length = 0
    const days = await book.upTo(END)
    expect([days.length, days[0]?.day]).toEqual([90, '2025-10-03'])
    expect(Math.min(...asked)).toBeGreaterThan(END - 32 * DAY)
    expect(summarizePayers(days, '2025-12-31').returning).toBe(1)
  })

  test('has one address for all days of a payer', async () => {
    const days = await createPayerBook(store(YEAR).ledger).upTo(END)
    const payers = days.flatMap(({ items }) => items.map(({ payer }) => payer))
    expect(new Set(payers.filter(({ address }) => address === 'regular')).size).toBe(1)
  })

  test('answers two looks at the same time alike, and reads a finished day for one of them', async () => {
    const { ledger, asked } = store(YEAR)
    const book = createPayerBook(ledger)
    const [earlier, later] = await Promise.all([book.upTo(END - 30 * DAY), book.upTo(END)])
    expect([earlier.length, later.length]).toEqual([90, 90])
    expect(asked.filter((from) => from < END - 32 * DAY)).toHaveLength(333)
    expect(await book.upTo(END)).toEqual(later)
  })

  test('looks on after a look that failed', async () => {
    const { ledger } = store(YEAR)
    let away = true
    const book = createPayerBook({
      ...ledger,
      payerSales: (from, to) =>
        away && from > END - 100 * DAY ? Promise.reject(new Error('away')) : ledger.payerSales(from, to),
    })
    await expect(book.upTo(END)).rejects.toThrow('away')
    away = false
    expect(await book.upTo(END)).toEqual(await createPayerBook(ledger).upTo(END))
  })

  test('takes a day with more payers than a call takes arguments', async () => {
    const at = START + 1
    const { ledger } = store([['one', at]])
    const many = Array.from({ length: 150_000 }, (_, n) => ({ payer: `payer ${n}`, sales: 1, slow: 0 }))
    const book = createPayerBook({ ...ledger, payerSales: async (from) => (from === START ? many : []) })
    const [day] = await book.upTo(at)
    expect(day?.items).toHaveLength(150_000)
  })
})
