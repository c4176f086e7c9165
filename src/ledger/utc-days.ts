/** Days the charts reach back to, today included. */
export const WINDOW_DAYS = 30
export const DAY_MS = 86_400_000

/** The UTC day of a time, as YYYY-MM-DD. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The days of the charts, oldest first. */
export const windowDays = (at: number): readonly string[] =>
  Array.from({ length: WINDOW_DAYS }, (_, index) => dayOf(at - (WINDOW_DAYS - 1 - index) * DAY_MS))
