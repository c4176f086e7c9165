export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** YYYY-MM-DD. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Caches a text that is the same for a whole period (milliseconds); `make` gets the time that was asked for. */
export function oncePer(period: number, make: (at: number) => string): (at: number) => string {
  let [present, made] = [Number.NaN, '']
  return (at) => {
    const asked = Math.floor(at / period)
    if (asked !== present) [present, made] = [asked, make(at)]
    return made
  }
}

export const daysUpTo = (at: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => dayOf(at - (count - 1 - index) * DAY_MS))
