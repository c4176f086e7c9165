import { daysUpTo } from '../../../../values/utc-days.ts'

/** The ranges of the page, in days, today included. */
export const DAY_CHOICES = [1, 7, 30, 90] as const
export const LONGEST_RANGE = Math.max(...DAY_CHOICES)
const DEFAULT_DAYS = 30

/** Reads the days of a query; the default for every other value. */
export const readDays = (query: URLSearchParams): number =>
  DAY_CHOICES.find((each) => String(each) === query.get('days')) ?? DEFAULT_DAYS

export const viewOf = (days: number): string => (days === DEFAULT_DAYS ? '/' : `/?days=${days}`)

/** Keeps what is of the last `days` days, up to `at` (UTC milliseconds). */
export function ofLast<T extends { readonly day: string }>(
  days: number,
  all: readonly T[],
  at: number,
): readonly T[] {
  const [first = ''] = daysUpTo(at, days)
  return all.filter(({ day }) => day >= first)
}
