export interface ViewRange {
  /** Days back from today, today included. */
  readonly days: number
}

export const DAY_CHOICES = [1, 7, 30, 90] as const
export const LONGEST_RANGE = Math.max(...DAY_CHOICES)
const DEFAULT_DAYS = 30
/** Reads the query of the view; what is not understood is the default. */
export const readRange = (query: URLSearchParams): ViewRange => ({
  days: DAY_CHOICES.find((each) => String(each) === query.get('days')) ?? DEFAULT_DAYS,
})

/** The query that leads to a range; empty for the default one. */
export const queryOf = ({ days }: ViewRange): string => (days === DEFAULT_DAYS ? '/' : `/?days=${days}`)
