export const DAY_CHOICES = [1, 7, 30, 90] as const
export const LONGEST_RANGE = Math.max(...DAY_CHOICES)
const DEFAULT_DAYS = 30

/** How many days back from today, today included, the query asks for; what is not understood is the default. */
export const readDays = (query: URLSearchParams): number =>
  DAY_CHOICES.find((each) => String(each) === query.get('days')) ?? DEFAULT_DAYS

/** The query that leads to a range; empty for the default one. */
export const queryOf = (days: number): string => (days === DEFAULT_DAYS ? '/' : `/?days=${days}`)
