import { daysUpTo } from '../../../../ledger/utc-days.ts'

/** The ranges of the view: days back from today, today included. */
export const DAY_CHOICES = [1, 7, 30, 90] as const
export const LONGEST_RANGE = Math.max(...DAY_CHOICES)
const DEFAULT_DAYS = 30

/** Reads the days from the query of the view; what is not understood is the default. */
export const readDays = (query: URLSearchParams): number =>
  DAY_CHOICES.find((each) => String(each) === query.get('days')) ?? DEFAULT_DAYS

/** The address of the view of so many days; without a query for the default. */
export const viewOf = (days: number): string => (days === DEFAULT_DAYS ? '/' : `/?days=${days}`)

/** What is of the days of a range that ends at `at` (UTC milliseconds). */
export function ofLast<T extends { readonly day: string }>(
  days: number,
  all: readonly T[],
  at: number,
): readonly T[] {
  const [first = ''] = daysUpTo(at, days)
  return all.filter(({ day }) => day >= first)
}
