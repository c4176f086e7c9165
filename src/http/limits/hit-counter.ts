export type HitCounter = ReturnType<typeof hitCounter>

/** What a sale gives back: the quote that was paid, and free calls that led to it. */
export type Returnable = 'quote' | 'free'

interface Window {
  hits: number
  /** How many of the hits a sale may give back. */
  quote: number
  free: number
  /** Milliseconds of the monotonic clock. */
  readonly until: number
}

/** How many free calls a sale gives back: an SDK makes three to six for each purchase on a new connection. */
const FREE_PER_SALE = 10

/** They take some 20 MB; one attacker is unlikely to have as many addresses. */
const MOST_KEYS = 100_000

/**
 * Counts hits per key in memory, in windows of time that begin with the first hit of each key. A key is forgotten at most one
 * window after its own ended, or if there are more than `mostKeys`.
 */
export function hitCounter(windowMs: number, mostKeys = MOST_KEYS) {
  const windows = new Map<string, Window>()
  const current = (key: string, now: number): Window | undefined => {
    const window = windows.get(key)
    return window === undefined || window.until <= now ? undefined : window
  }
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [key, { until }] of windows) if (until <= now) windows.delete(key)
  }, windowMs).unref()

  return {
    /** With `kind` if `giveBack` may take it back later. */
    hit(key: string, kind?: Returnable) {
      const now = performance.now()
      const window = current(key, now) ?? { hits: 0, quote: 0, free: 0, until: now + windowMs }
      window.hits++
      if (kind !== undefined) window[kind]++
      if (windows.get(key) === window) return
      // Deleted first, so that the map stays in the order of the windows.
      windows.delete(key)
      windows.set(key, window)
      if (windows.size > mostKeys) windows.delete(windows.keys().next().value as string)
    },
    /** Takes one hit back; the count never falls below zero. */
    takeBack(key: string) {
      const window = current(key, performance.now())
      if (window !== undefined && window.hits > 0) window.hits--
    },
    /** Takes back what led to a sale, as far as the window has it. */
    giveBack(key: string, quotes: number) {
      const window = current(key, performance.now())
      if (window === undefined) return
      const quote = Math.min(quotes, window.quote)
      const free = Math.min(FREE_PER_SALE, window.free)
      window.quote -= quote
      window.free -= free
      window.hits = Math.max(0, window.hits - quote - free)
    },
    /** Returns the hits of the key, and the whole seconds until its window ends. */
    read(key: string) {
      const now = performance.now()
      const { hits, until } = current(key, now) ?? { hits: 0, until: now }
      return { hits, secondsLeft: Math.ceil((until - now) / 1000) }
    },
    close: () => clearInterval(timer),
  }
}
