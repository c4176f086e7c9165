/** What the view is asked to show: the last days, and one type or surface or all of them. */
export interface ViewRange {
  /** Days back from today, today included. */
  readonly days: number
  readonly type: string | null
  readonly surface: string | null
}

export const DAY_CHOICES = [1, 7, 30, 90] as const
export const LONGEST_RANGE = Math.max(...DAY_CHOICES)
const DEFAULT_DAYS = 30
/** Types and surfaces are compared with what the books hold, so only their form is checked here. */
const NAME = /^[a-z0-9-]{1,32}$/

/** Reads the query of the view; what is not understood is the default. */
export function readRange(query: URLSearchParams): ViewRange {
  const days = DAY_CHOICES.find((each) => String(each) === query.get('days')) ?? DEFAULT_DAYS
  return { days, type: nameOf(query.get('type')), surface: nameOf(query.get('surface')) }
}

const nameOf = (text: string | null): string | null => (text !== null && NAME.test(text) ? text : null)

/** The query that leads to a range; empty for the default one. */
export function queryOf({ days, type, surface }: ViewRange): string {
  const query = new URLSearchParams()
  if (days !== DEFAULT_DAYS) query.set('days', String(days))
  if (type !== null) query.set('type', type)
  if (surface !== null) query.set('surface', surface)
  return query.size === 0 ? '/' : `/?${query}`
}

/** True for a cell of the books that the range includes. */
export const isWithin = (
  { type, surface }: ViewRange,
  cell: { readonly checkType: string; readonly surface: string },
): boolean => (type === null || cell.checkType === type) && (surface === null || cell.surface === surface)
