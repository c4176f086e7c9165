/** Days the charts reach back to, today included. */
export const WINDOW_DAYS = 30
export const DAY_MS = 86_400_000

/** The UTC day of a time, as YYYY-MM-DD. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The last `count` UTC days up to a time, oldest first. */
export const daysUpTo = (at: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => dayOf(at - (count - 1 - index) * DAY_MS))

/** The days of the charts, oldest first. */
export const windowDays = (at: number): readonly string[] => daysUpTo(at, WINDOW_DAYS)
